package cli

import (
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// webClient is a client of the mount tools over HTTP.
type webClient struct {
	*http.Client
	t       *testing.T
	url     string
	session string // once it has one
}

// send sends a request of HTTP and returns what was answered.
func (c *webClient) send(method, body string) string {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), method, c.url, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if c.session != "" {
		req.Header.Set("Mcp-Session-Id", c.session)
	}
	res, err := c.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode >= 400 && !strings.Contains(string(text), "error") {
		c.t.Fatalf("%s: %s, %v", res.Status, text, err)
	}
	if id := res.Header.Get("Mcp-Session-Id"); id != "" {
		c.session = id
	}
	return string(text)
}

const initializeParams = `{"protocolVersion":"2025-11-25","capabilities":{},` +
	`"clientInfo":{"name":"test","version":"1"}}`

// begin begins a session.
func (c *webClient) begin() {
	c.t.Helper()
	c.send("POST", request(1, "initialize", initializeParams))
	c.send("POST", `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

// startTools starts a host of tools over HTTP, which tells of its sessions over TCP, and returns
// what makes its clients.
func startTools(t *testing.T, args ...string) (*program, func() *webClient) {
	t.Helper()
	p := start(t, append([]string{"serve", "--mount", "tools",
		"--listen", anyPort, "--listen", anyHTTP}, args...)...)
	url := p.url("/mcp")
	return p, func() *webClient { return &webClient{Client: newClient(t, ""), t: t, url: url} }
}

// Clients of HTTP used to be served in secret.
func TestHTTPClientsAreListed(t *testing.T) {
	p, connect := startTools(t)
	lasting, alone := connect(), connect()
	lasting.begin()
	lasting.send("POST", request(2, "tools/list", "{}"))
	alone.send("POST", request(1, "tools/list", "{}"))
	lasting.CloseIdleConnections() // which is not its session's end
	address := "tcp://" + p.line("listening on tcp://")
	waitForSessions(t, address, 2)
	out, _, _ := run(t, "", "sessions", address)
	lines := strings.Split(out, "\n")
	for i, requests := range []string{"2", "1"} {
		f := strings.Fields(lines[1+i])
		if !strings.HasPrefix(f[0], "http://127.0.0.1:") || f[1] != "mcp" || f[2] != "-" ||
			f[4] != requests || f[5] != "0" || f[6] == "0" || f[7] == "0" {
			t.Errorf("a client is listed as %q", f)
		}
	}
	alone.CloseIdleConnections() // which is all there is of it
	waitForSessions(t, address, 1)
	lasting.send("DELETE", "")
	waitForSessions(t, address, 0)
}

// A client used to be able to begin any number of sessions, which take memory for half an hour.
func TestHTTPSessionsAreBounded(t *testing.T) {
	p, connect := startTools(t, "--max-sessions", "1")
	address := "tcp://" + p.line("listening on tcp://")
	c := connect()
	c.begin()
	status, got := fetch(t, c.Client, "POST", c.url, request(1, "initialize", initializeParams), "")
	if status != http.StatusServiceUnavailable || !strings.Contains(got, "--max-sessions") {
		t.Errorf("status %d: %s", status, got)
	}
	c.send("POST", request(2, "tools/list", "{}")) // the session goes on
	c.send("DELETE", "")
	waitForSessions(t, address, 0)
	c.session = ""
	c.begin()
	waitForSessions(t, address, 1)
}

func TestHTTPClientsAreCounted(t *testing.T) {
	p, connect := startTools(t, "--metrics", "http://127.0.0.1:0/metrics")
	lasting, alone := connect(), connect()
	lasting.begin()
	lasting.send("POST", request(2, "tools/list", "{}"))
	lasting.send("POST", request(3, "tools/call", `{"name":"none"}`))
	alone.send("POST", request(1, "tools/list", "{}"))
	alone.send("POST", request(1, "nonsense", "{}"))
	text := scrape(t, p.line("metrics at "))
	for _, want := range []string{
		`triplex_sessions 2`,
		`triplex_sessions_total 2`,
		`triplex_requests_in_flight 0`,
		`triplex_handling_seconds_count{method="tools/list",protocol="mcp"} 2`,
		`triplex_handling_seconds_count{method="notifications/initialized",protocol="mcp"} 1`,
		`triplex_errors_total{method="tools/call",protocol="mcp"} 1`,
		`triplex_errors_total{method="(unknown)",protocol="mcp"} 1`,
	} {
		if !strings.Contains(text, "\n"+want+"\n") {
			t.Errorf("there is no line %s", want)
		}
	}
	if strings.Contains(text, `triplex_errors_total{method="tools/list"`) {
		t.Error("successes count as errors")
	}
}

func TestHTTPClientsAreRecorded(t *testing.T) {
	record := filepath.Join(t.TempDir(), "log")
	p, connect := startTools(t, "--record", record)
	c := connect()
	c.begin()
	c.send("POST", request(2, "tools/list", "{}"))
	c.CloseIdleConnections()
	p.cmd.Process.Signal(syscall.SIGTERM)
	p.want(0)
	out, errs, status := run(t, "", "log", "--check", record)
	if status != 0 {
		t.Errorf("exit status %d: %s%s", status, out, errs)
	}
	out, _, _ = run(t, "", "log", record)
	for _, want := range []string{
		" -> initialize ", " <- initialize ", " -> notifications/initialized ",
		" -> tools/list ", " <- tools/list ", " http://127.0.0.1:",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("there is no %q in\n%s", want, out)
		}
	}
}

// The message is refused before it gets to the mount, or its client does not wait for the answer.
func TestHTTPRequestsWithoutAnAnswerAreOver(t *testing.T) {
	p, connect := startTools(t, "--metrics", "http://127.0.0.1:0/metrics")
	c := connect()
	c.session = "unknown"
	req, err := http.NewRequest("POST", c.url, strings.NewReader(request(1, "tools/list", "{}")))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "text/plain")
	res, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	text := scrape(t, p.line("metrics at "))
	for _, want := range []string{
		`triplex_requests_in_flight 0`,
		`triplex_errors_total{method="tools/list",protocol="mcp"} 1`,
	} {
		if !strings.Contains(text, "\n"+want+"\n") {
			t.Errorf("there is no line %s", want)
		}
	}
}

// The host's limits used to end where HTTP begins: --call-timeout was not heeded there, and a body
// that did not say its length was refused without the name of the flag.
func TestHTTPClientsKeepTheLimitsOfTheHost(t *testing.T) {
	_, connect := startTools(t, "--call-timeout", "10ms", "--max-frame", "1KiB")
	c := connect()
	c.begin()
	got := c.send("POST", request(2, "tools/call", `{"name":"ask"}`))
	if !strings.Contains(got, "did not answer in time (--call-timeout 10ms)") {
		t.Errorf("a question without answer: %s", got)
	}
	for name, length := range map[string]int64{"known": 1025, "unknown": -1} {
		body := strings.NewReader(strings.Repeat(" ", 1025))
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.url, body)
		if err != nil {
			t.Fatal(err)
		}
		req.ContentLength = length
		res, err := c.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != 413 || !strings.Contains(string(text), "--max-frame") {
			t.Errorf("a body of %s length: %s, %s, %v", name, res.Status, text, err)
		}
	}
}
