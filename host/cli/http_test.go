package cli

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"triplex/host"
	"triplex/host/internal/certtest"
)

// webSet is a method set that serves HTTP clients too.
type webSet struct{ testSet }

func (webSet) HTTPHandler(host.Limits) http.Handler {
	return &webHandler{drained: make(chan struct{})}
}

// webHandler answers a POST with its body once that is complete, and a GET with news until it is
// drained.
type webHandler struct{ drained chan struct{} }

func (h *webHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		w.(http.Flusher).Flush()
		<-h.drained
		io.WriteString(w, "drained")
		return
	}
	fmt.Fprintln(os.Stderr, "request begun")
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	w.Write(body)
}

func (h *webHandler) Drain() { close(h.drained) }

func (h *webHandler) Close() error {
	fmt.Fprintln(os.Stderr, "handler closed")
	return nil
}

const anyHTTP = "http://127.0.0.1:0/mcp"

// newClient returns an HTTP client that trusts the authority in a file, if there is one.
func newClient(t *testing.T, authority string) *http.Client {
	t.Helper()
	pool := x509.NewCertPool()
	if authority != "" {
		pem, err := os.ReadFile(authority)
		if err != nil {
			t.Fatal(err)
		}
		pool.AppendCertsFromPEM(pem)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: patience}
}

// fetch sends a request and returns the status and what was answered.
func fetch(t *testing.T, c *http.Client, method, url, body, authorization string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if authorization != "" {
		req.Header.Set("Authorization", authorization)
	}
	res, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

// url waits for the announcement of an HTTP address with a path and returns it.
func (p *program) url(path string) string {
	p.t.Helper()
	p.line(path)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, line := range p.lines {
		if url, ok := strings.CutPrefix(line, "listening on "); ok && strings.HasSuffix(url, path) {
			return url
		}
	}
	p.t.Fatalf("no address ends with %s", path)
	return ""
}

func TestHTTPBesideOtherAddresses(t *testing.T) {
	p := start(t, "serve", "--mount", "web",
		"--listen", anyHTTP, "--listen", anyPort, "--listen", "http://localhost:0/other")
	c := newClient(t, "")
	for _, path := range []string{"/mcp", "/other"} {
		url := p.url(path)
		if status, got := fetch(t, c, "POST", url, "hello", ""); got != "hello" {
			t.Errorf("%s: %d %s", url, status, got)
		}
		if status, _ := fetch(t, c, "POST", url+"/elsewhere", "hello", ""); status != 404 {
			t.Errorf("another path: status %d", status)
		}
	}
	conn, err := net.Dial("tcp", p.line("listening on tcp://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(patience))
	io.WriteString(conn, request(1, "create", fmt.Sprintf("[%q]", filepath.Join(t.TempDir(), "f"))))
	expect(t, bufio.NewReader(conn), answer(1, `"done"`))
}

func TestHTTPLimits(t *testing.T) {
	p := start(t, "serve", "--mount", "web", "--listen", anyHTTP,
		"--max-frame", "1KiB", "--max-sessions", "1")
	url := p.url("/mcp")
	c := newClient(t, "")
	if status, got := fetch(t, c, "POST", url, strings.Repeat("x", 1024), ""); status != 200 {
		t.Errorf("as large as allowed: %d %s", status, got)
	}
	if res, err := newClient(t, "").Get(url); err == nil {
		res.Body.Close()
		t.Error("there is a second connection")
	}
	p.line("--max-sessions")
	status, got := fetch(t, c, "POST", url, strings.Repeat("x", 1025), "")
	if status != 413 || !strings.Contains(got, "--max-frame") {
		t.Errorf("larger: %d %s", status, got)
	}
}

// tokenFile returns a file with a token.
func tokenFile(t *testing.T, token string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(token), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestHTTPToken(t *testing.T) {
	p := start(t, "serve", "--mount", "web", "--listen", anyHTTP,
		"--token-file", tokenFile(t, "s3cret\n"))
	url := p.url("/mcp")
	c := newClient(t, "")
	for name, tc := range map[string]struct {
		authorization string
		status        int
	}{
		"right":          {"Bearer s3cret", 200},
		"scheme in case": {"bearer s3cret", 200},
		"none":           {"", 401},
		"wrong":          {"Bearer secret", 401},
		"longer":         {"Bearer s3crets", 401},
		"another scheme": {"Basic s3cret", 401},
	} {
		if status, _ := fetch(t, c, "POST", url, "hello", tc.authorization); status != tc.status {
			t.Errorf("%s: status %d", name, status)
		}
	}
}

func TestHTTPSForOtherMachines(t *testing.T) {
	authority := certtest.New(t)
	cert, key := authority.Issue()
	p := start(t, "serve", "--mount", "web", "--listen", "https://0.0.0.0:0/mcp",
		"--tls-cert", cert, "--tls-key", key, "--token-file", tokenFile(t, "s3cret"))
	url := strings.Replace(p.url("/mcp"), "0.0.0.0", "127.0.0.1", 1)
	c := newClient(t, authority.File)
	if status, got := fetch(t, c, "POST", url, "hello", "Bearer s3cret"); got != "hello" {
		t.Errorf("%d %s", status, got)
	}
	if status, _ := fetch(t, c, "POST", url, "hello", ""); status != 401 {
		t.Errorf("without the token: status %d", status)
	}
}

func TestHTTPAddressesThatAreRefused(t *testing.T) {
	authority := certtest.New(t)
	cert, key := authority.Issue()
	secured := "--tls-cert " + cert + " --tls-key " + key + " --listen https://0.0.0.0:0/mcp"
	for _, tc := range []struct {
		name, args, advice string
		status             int
	}{
		{"wildcard", "--mount web --listen http://0.0.0.0:0/mcp", "--token-file", exitFailure},
		{"without token", "--mount web " + secured, "--token-file", exitFailure},
		{"without certificate", "--mount web --listen https://127.0.0.1:0/", "--tls-cert", exitUsage},
		{"token without HTTP", "--mount web --token-file x", "--listen http://", exitUsage},
		{"no token", "--mount web --listen http://127.0.0.1:0/ --token-file " + tokenFile(t, "\n"),
			"want one line", exitFailure},
		{"no such file", "--mount web --listen http://127.0.0.1:0/ --token-file /none",
			"no such file", exitFailure},
		{"no mount", "--mount echo --listen http://127.0.0.1:0/mcp",
			"no mount serves HTTP (mounted: echo)", exitUsage},
		{"two mounts", "--mount web --mount web2 --listen http://127.0.0.1:0/mcp",
			"web and web2 both serve HTTP", exitUsage},
		{"sessions of TLS without authority", "--mount web --listen tcp://127.0.0.1:0 " + secured,
			"--tls-client-ca", exitFailure},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, stderr, status := run(t, "", append([]string{"serve"}, strings.Fields(tc.args)...)...)
			if status != tc.status || !strings.Contains(stderr, tc.advice) {
				t.Errorf("exit status %d: %s", status, stderr)
			}
		})
	}
}

// A request that is being answered gets its answer, and who waits for news is told that none come.
func TestHTTPShutdown(t *testing.T) {
	p := start(t, "serve", "--mount", "web", "--listen", anyHTTP)
	url := p.url("/mcp")
	news, err := newClient(t, "").Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer news.Body.Close()
	body, more := io.Pipe()
	answered := make(chan string)
	go func() {
		res, err := newClient(t, "").Post(url, "text/plain", body)
		if err != nil {
			answered <- err.Error()
			return
		}
		defer res.Body.Close()
		text, _ := io.ReadAll(res.Body)
		answered <- string(text)
	}()
	p.line("request begun")
	p.cmd.Process.Signal(syscall.SIGTERM)
	if got, err := io.ReadAll(news.Body); string(got) != "drained" {
		t.Errorf("the news are %q, %v", got, err)
	}
	io.WriteString(more, "hello")
	more.Close()
	if got := <-answered; got != "hello" {
		t.Errorf("the answer is %q", got)
	}
	p.line("handler closed")
	p.want(0)
}

func TestHTTPConnectionsAreNotIdle(t *testing.T) {
	p := start(t, "serve", "--mount", "web", "--listen", anyHTTP, "--listen", anyPort,
		"--exit-when-idle", "--log-level", "debug")
	url := p.url("/mcp")
	body, more := io.Pipe()
	c := newClient(t, "")
	answered := make(chan error)
	go func() {
		res, err := c.Post(url, "text/plain", body)
		if err == nil {
			res.Body.Close()
		}
		answered <- err
	}()
	p.line("request begun")
	conn, err := net.Dial("tcp", p.line("listening on tcp://"))
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(conn, request(1, "create", "[]"))
	bufio.NewReader(conn).ReadString('\n') // the session is there
	conn.Close()
	p.line("session ended") // the last one: the host is idle but for the request
	other := newClient(t, "")
	if status, got := fetch(t, other, "POST", url, "hello", ""); got != "hello" {
		t.Errorf("%d %s", status, got)
	}
	other.CloseIdleConnections()
	more.Close()
	if err := <-answered; err != nil {
		t.Error(err)
	}
	c.CloseIdleConnections()
	p.want(0)
}
