package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// mainVariable makes the test binary the program.
const mainVariable = "CONFORMANCE_TEST_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(mainVariable) != "" {
		main()
	}
	os.Exit(m.Run())
}

// serve starts the program on an HTTP address until the test ends and returns its URL.
func serve(t *testing.T) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "serve", "--listen", "http://127.0.0.1:0/mcp")
	cmd.Env = append(os.Environ(), mainVariable+"=1")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		io.Copy(io.Discard, stderr)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the program ended with %v", err)
		}
	})
	line, err := bufio.NewReader(stderr).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if !ok {
		t.Fatalf("read %q, %v", line, err)
	}
	return url
}

// send sends a request, with more headers in pairs, and returns the response and its body.
func send(t *testing.T, method, url, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
	}
	client := &http.Client{Timeout: 20 * time.Second, Transport: new(http.Transport)}
	defer client.CloseIdleConnections()
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(text)
}

func call(tool string) string {
	const format = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q}}`
	return fmt.Sprintf(format, tool)
}

func TestOneRequestIsAnswered(t *testing.T) {
	url := serve(t)
	for name, tc := range map[string]struct {
		headers []string
		status  int
	}{
		"as curl sends it": {[]string{"Accept", "*/*"}, http.StatusOK},
		"own origin":       {[]string{"Origin", strings.TrimSuffix(url, "/mcp")}, http.StatusOK},
		"other origin":     {[]string{"Origin", "http://evil.example"}, http.StatusForbidden},
		"other host":       {[]string{"Host", "evil.example"}, http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			res, body := send(t, http.MethodPost, url, call("test_simple_text"), tc.headers...)
			answered := strings.Contains(body, "simple text response")
			if res.StatusCode != tc.status || answered != (tc.status == http.StatusOK) {
				t.Errorf("%s: %s", res.Status, body)
			}
		})
	}
}

// A client whose stream ended before the answer used to have lost that.
func TestAnswerAfterReconnection(t *testing.T) {
	const version = "2025-11-25"
	url := serve(t)
	res, body := send(t, http.MethodPost, url, `{"jsonrpc":"2.0","id":0,"method":"initialize",
		"params":{"protocolVersion":"`+version+`","capabilities":{},
		"clientInfo":{"name":"test","version":"1"}}}`)
	session := res.Header.Get("Mcp-Session-Id")
	if session == "" {
		t.Fatal(body)
	}
	headers := []string{"Mcp-Session-Id", session, "Mcp-Protocol-Version", version}
	_, events := send(t, http.MethodPost, url, call("test_reconnection"), headers...)
	if strings.Contains(events, "reconnected") {
		t.Errorf("the stream did not end early: %s", events)
	}
	_, id, _ := strings.Cut(events, "id: ")
	id, _, _ = strings.Cut(id, "\n")
	_, events = send(t, http.MethodGet, url, "", append(headers, "Last-Event-Id", id)...)
	if !strings.Contains(events, "reconnected") {
		t.Errorf("after event %q: %s", id, events)
	}
}
