package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"triplex/host"
)

// serveHTTP serves a server over HTTP until the test ends, and returns its URL.
func serveHTTP(t *testing.T, server *sdk.Server, options *Options) string {
	t.Helper()
	return serveHandler(t, Mount(server, options).HTTPHandler(host.Limits{}))
}

// serveHandler serves a handler of a set until the test ends, and returns its URL.
func serveHandler(t *testing.T, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(func() {
		s.CloseClientConnections()
		if err := h.(io.Closer).Close(); err != nil {
			t.Error(err)
		}
		s.Close()
		http.DefaultClient.CloseIdleConnections()
	})
	return s.URL
}

// post sends a message as curl would, with more headers in pairs, and returns the answer.
func post(t *testing.T, url, body string, headers ...string) (*http.Response, *message) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "*/*")
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, lastMessage(string(text))
}

// lastMessage returns the last message of a body, whether that is JSON or events, nil if none.
func lastMessage(body string) *message {
	var last *message
	lines := bufio.NewScanner(strings.NewReader(body))
	for lines.Scan() {
		m := new(message)
		if json.Unmarshal([]byte(strings.TrimPrefix(lines.Text(), "data: ")), m) == nil {
			last = m
		}
	}
	return last
}

func TestHTTPSingleCall(t *testing.T) {
	url := serveHTTP(t, newServer(nil), nil)
	_, m := post(t, url, line("1", "tools/call", toolParams("add", `{"a":1,"b":2}`)))
	if m == nil || m.Error != nil || toolText(t, m.Result) != `{"total":3}` {
		t.Errorf("received %v", m)
	}
}

func TestHTTPModernCall(t *testing.T) {
	url := serveHTTP(t, newServer(nil), nil)
	_, m := post(t, url, line("1", "tools/call", modernly(toolParams("add", `{"a":1,"b":2}`))),
		headerVersion, modernEra, "Mcp-Method", "tools/call", "Mcp-Name", "add")
	if m == nil || m.Error != nil || toolText(t, m.Result) != `{"total":3}` {
		t.Errorf("received %v", m)
	}
}

func TestHTTPLegacySession(t *testing.T) {
	url := serveHTTP(t, newServer(nil), nil)
	resp, m := post(t, url, line("1", "initialize", initializeParams(latest)))
	session := resp.Header.Get(headerSession)
	if session == "" || m.Error != nil {
		t.Fatalf("%s, %v", resp.Status, m)
	}
	resp, _ = post(t, url, line("", "notifications/initialized", ""), headerSession, session)
	if resp.StatusCode != http.StatusAccepted {
		t.Errorf("initialized: %s", resp.Status)
	}
	for id, test := range map[string]struct {
		method, params string
		code           int
	}{
		"2": {"initialize", initializeParams(latest), -32600},
		"3": {"tools/call", toolParams("panic", "{}"), -32603},
		"4": {"tools/call", toolParams("vanish", "{}"), -32603},
		"5": {"resources/read", `{"uri":"file:///none"}`, -32002},
		"6": {"prompts/get", `{"name":"explain"}`, -32602},
		"7": {"logging/setLevel", `{"level":"loud"}`, -32602},
		"8": {"tools/call", `{"name":"unknown"}`, -32602},
	} {
		_, m := post(t, url, line(id, test.method, test.params), headerSession, session)
		if m == nil || m.Error == nil || m.Error.Code != test.code || string(m.ID) != id {
			t.Errorf("%s %s: received %v", test.method, test.params, m)
		}
	}
	_, m = post(t, url, line("9", "tools/list", ""), headerSession, session)
	if m.Error != nil {
		t.Errorf("received %s", m)
	}
}

// Only what changes something was kept from other origins, though a GET reads all that happens in a
// session.
func TestHTTPReadsAreForTheSameOrigin(t *testing.T) {
	url := serveHTTP(t, newServer(nil), nil)
	for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodOptions} {
		req, err := http.NewRequestWithContext(t.Context(), method, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Origin", "http://evil.example")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusForbidden {
			t.Errorf("%s: got %s", method, resp.Status)
		}
	}
}

func TestHTTPKeepsStrangersOut(t *testing.T) {
	url := serveHTTP(t, newServer(nil), &Options{Token: "secret"})
	call := line("1", "tools/list", "")
	token := []string{"Authorization", "Bearer secret"}
	for name, test := range map[string]struct {
		body    string
		headers []string
		status  int
	}{
		"token":         {call, token, 200},
		"no token":      {call, nil, 401},
		"wrong token":   {call, []string{"Authorization", "Bearer secrets"}, 401},
		"other origin":  {call, append(token, "Origin", "http://evil.example"), 403},
		"other site":    {call, append(token, "Sec-Fetch-Site", "cross-site"), 403},
		"rebound name":  {call, append(token, "Host", "evil.example"), 403},
		"form":          {call, append(token, "Content-Type", "text/plain"), 415},
		"other session": {call, append(token, headerSession, "guess"), 404},
	} {
		t.Run(name, func(t *testing.T) {
			resp, m := post(t, url, test.body, test.headers...)
			if resp.StatusCode != test.status {
				t.Errorf("got %s, %v", resp.Status, m)
			}
		})
	}
}

// A body that did not say its length was refused without a word about the flag that allows more.
func TestHTTPBodiesAreLimited(t *testing.T) {
	const limit = 1000
	url := serveHandler(t, Mount(newServer(nil), nil).HTTPHandler(host.Limits{Frame: limit}))
	call := line("1", "tools/list", "")
	for name, test := range map[string]struct {
		length  int
		chunked bool
		status  int
		text    string
	}{
		"as long as allowed":          {limit, false, 200, `"result"`},
		"as long as allowed, chunked": {limit, true, 200, `"result"`},
		"longer":                      {limit + 1, false, 413, "more than 1000 bytes (--max-frame)"},
		"longer, chunked":             {limit + 1, true, 413, "more than 1000 bytes (--max-frame)"},
	} {
		t.Run(name, func(t *testing.T) {
			body := strings.NewReader(call + strings.Repeat(" ", test.length-len(call)))
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, body)
			if err != nil {
				t.Fatal(err)
			}
			if test.chunked {
				req.ContentLength = -1
			}
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Accept", "*/*")
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			text, err := io.ReadAll(resp.Body)
			if resp.StatusCode != test.status || !strings.Contains(string(text), test.text) {
				t.Errorf("got %s, %s, %v", resp.Status, text, err)
			}
		})
	}
}

func TestHTTPClientOfTheSDK(t *testing.T) {
	url := serveHTTP(t, newServer(nil), nil)
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			exercise(t, &sdk.StreamableClientTransport{Endpoint: url}, era)
		})
	}
}

// A client that only waits for news used to hold up the shutdown of a server until that lost
// patience.
func TestHTTPDrainEndsWhatListens(t *testing.T) {
	set := Mount(newServer(nil), nil)
	h := set.HTTPHandler(host.Limits{})
	s := httptest.NewServer(h)
	defer s.Close()
	s.Config.RegisterOnShutdown(h.(interface{ Drain() }).Drain)
	client := new(http.Client)
	defer client.CloseIdleConnections()
	open := func(method, body string, headers ...string) io.ReadCloser {
		req, err := http.NewRequestWithContext(t.Context(), method, s.URL, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		for i := 0; i < len(headers); i += 2 {
			req.Header.Set(headers[i], headers[i+1])
		}
		resp, err := client.Do(req)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatal(resp, err)
		}
		return resp.Body
	}
	first, _ := post(t, s.URL, line("1", "initialize", initializeParams(latest)))
	legacy := open(http.MethodGet, "", headerSession, first.Header.Get(headerSession),
		headerVersion, latest)
	modern := open(http.MethodPost, line("1", methodListen, modernly(listenToTools)),
		headerVersion, modernEra, "Mcp-Method", methodListen)
	http.DefaultClient.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := s.Config.Shutdown(ctx); err != nil {
		t.Error(err)
	}
	for _, stream := range []io.ReadCloser{legacy, modern} {
		if _, err := io.Copy(io.Discard, stream); err != nil {
			t.Error(err)
		}
		stream.Close()
	}
	if err := h.(io.Closer).Close(); err != nil {
		t.Error(err)
	}
}

// A session that was deleted used to wait for its tools, which nobody had told, and its client with
// it.
func TestHTTPDeleteEndsTools(t *testing.T) {
	server := newServer(nil)
	began, ended := make(chan struct{}), make(chan struct{})
	sdk.AddTool(server, &sdk.Tool{Name: "hang"}, func(
		ctx context.Context, _ *sdk.CallToolRequest, _ any,
	) (*sdk.CallToolResult, any, error) {
		close(began)
		<-ctx.Done()
		close(ended)
		return nil, nil, ctx.Err()
	})
	url := serveHTTP(t, server, nil)
	first, _ := post(t, url, line("1", "initialize", initializeParams(latest)))
	session := first.Header.Get(headerSession)
	var calling sync.WaitGroup
	defer calling.Wait()
	calling.Go(func() {
		post(t, url, line("2", "tools/call", toolParams("hang", "{}")), headerSession, session)
	})
	<-began
	req, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set(headerSession, "another")
	for _, status := range []int{http.StatusNotFound, http.StatusNoContent} {
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != status {
			t.Errorf("delete %s: %s", req.Header.Get(headerSession), resp.Status)
		}
		req.Header.Set(headerSession, session)
	}
	<-ended
}

// What a client had called without a session went on when the client had gone, to its end.
func TestHTTPCallEndsWithItsClient(t *testing.T) {
	server := newServer(nil)
	began, ended := make(chan struct{}), make(chan struct{})
	sdk.AddTool(server, &sdk.Tool{Name: "hang"}, func(
		ctx context.Context, _ *sdk.CallToolRequest, _ any,
	) (*sdk.CallToolResult, any, error) {
		began <- struct{}{}
		<-ctx.Done()
		ended <- struct{}{}
		return nil, nil, ctx.Err()
	})
	url := serveHTTP(t, server, nil)
	for _, accept := range []string{"application/json", "*/*"} {
		ctx, cancel := context.WithCancel(t.Context())
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url,
			strings.NewReader(line("1", "tools/call", toolParams("hang", "{}"))))
		if err != nil {
			t.Fatal(err)
		}
		req.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {accept}}
		var calling sync.WaitGroup
		calling.Go(func() {
			if resp, err := http.DefaultClient.Do(req); err == nil {
				io.Copy(io.Discard, resp.Body) // until it is cut off
				resp.Body.Close()
			}
		})
		<-began
		cancel()
		<-ended
		calling.Wait()
	}
}

func TestHTTPConcurrencyIsLimited(t *testing.T) {
	const limit = 2
	running, most := make(chan struct{}, 100), make(chan int, 100)
	server := newServer(nil)
	release := make(chan struct{})
	sdk.AddTool(server, &sdk.Tool{Name: "hold"}, func(
		context.Context, *sdk.CallToolRequest, any,
	) (*sdk.CallToolResult, any, error) {
		running <- struct{}{}
		most <- len(running)
		<-release
		<-running
		return text("held"), nil, nil
	})
	url := serveHTTP(t, server, &Options{Concurrency: limit})
	done := make(chan bool)
	for range 3 * limit {
		go func() {
			_, m := post(t, url, line("1", "tools/call", toolParams("hold", "{}")))
			done <- m != nil && m.Error == nil
		}()
	}
	for range limit {
		<-most
	}
	close(release)
	for range 3 * limit {
		if !<-done {
			t.Error("a call failed")
		}
	}
	for range 2 * limit {
		if n := <-most; n > limit {
			t.Errorf("%d ran at the same time", n)
		}
	}
}

// A tool that asked an HTTP client which never answered held its slot until the session was over.
func TestHTTPClientThatNeverAnswers(t *testing.T) {
	limits := host.Limits{CallTimeout: time.Millisecond}
	url := serveHandler(t, Mount(newServer(nil), nil).HTTPHandler(limits))
	resp, _ := post(t, url, line("1", "initialize", initializeParams(latest)))
	session := []string{headerSession, resp.Header.Get(headerSession), headerVersion, latest}
	post(t, url, line("", "notifications/initialized", ""), session...)
	for _, tool := range []string{"elicit", "roots", "confirm"} {
		_, m := post(t, url, line("2", "tools/call", toolParams(tool, "{}")), session...)
		want := host.ErrCallTimeout.Error() + " (--call-timeout 1ms)"
		if m == nil || !strings.Contains(string(m.Result), want) {
			t.Errorf("%s: received %s", tool, m)
		}
	}
}
