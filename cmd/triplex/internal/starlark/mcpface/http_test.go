package mcpface

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"triplex/host"
)

// A single POST, as of curl, is enough for a call.
func TestHTTP(t *testing.T) {
	b := newBench(t, library)
	b.editor(`{}`).open(uriOf(b.path("main.star")), "x = 'unsaved'\n")
	h := b.face.HTTPHandler(host.Limits{})
	server := httptest.NewServer(h)
	t.Cleanup(func() {
		server.CloseClientConnections()
		if err := h.(io.Closer).Close(); err != nil {
			t.Error(err)
		}
		server.Close()
	})
	for name, c := range map[string]struct{ tool, in, want string }{
		"run":   {"starlark_run", `{"file":"main.star"}`, "unsaved"},
		"debug": {"debug_start", `{"file":"main.star","stop_on_entry":true}`, `"driver":"agent"`},
		"write": {"starlark_rename", `{"symbol":"greet","new_name":"hail","write":true}`, `"hail"`},
	} {
		t.Run(name, func(t *testing.T) {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL,
				strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+
					c.tool+`","arguments":`+c.in+`}}`))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Accept", "*/*")
			res, err := server.Client().Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			body, err := io.ReadAll(res.Body)
			if err != nil || res.StatusCode != http.StatusOK || !strings.Contains(string(body), c.want) {
				t.Errorf("%s: %s, %v", res.Status, body, err)
			}
		})
	}
}
