package dap

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
)

func TestErrors(t *testing.T) {
	stable := &Error{
		ID: 1004, Format: "cannot open {path} for {_why}{", ShowUser: new(true), URLLabel: new("more"),
		Variables: map[string]string{"path": "/p", "_why": "reading"},
	}
	for _, test := range []struct {
		name          string
		err           error
		message, body string
	}{
		{
			"with variables", fmt.Errorf("launch: %w", stable), "cannot open /p for reading{",
			`{"error":{"id":1004,"format":"cannot open {path} for {_why}{","showUser":true,` +
				`"urlLabel":"more","variables":{"_why":"reading","path":"/p"}}}`,
		},
		{
			"formatted", Errorf(7, "line %d", 3), "line 3",
			`{"error":{"id":7,"format":"line 3","showUser":false}}`,
		},
		{
			"not stopped", ErrNotStopped, "notStopped",
			`{"error":{"id":-32002,"format":"the debuggee is not stopped","showUser":false}}`,
		},
		{
			"any", errors.New("disk full"), "disk full",
			`{"error":{"id":-32603,"format":"disk full","showUser":false}}`,
		},
		{
			"of JSON-RPC", &jsonrpc2.Error{Code: -32602, Message: "bad"}, "bad",
			`{"error":{"id":-32602,"format":"bad","showUser":false}}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := new(Server)
			Attach.Handle(server, func(
				context.Context, *Session, *AttachRequestArguments,
			) (Empty, error) {
				return Empty{}, test.err
			})
			c := connect(t, server)
			c.start(adapterID)
			// An attach that fails, and the next try (microsoft/ptvsd#1904).
			for seq := 2; seq < 4; seq++ {
				c.Request("attach", "{}")
				m := c.hear(fmt.Sprintf("%d attach failed: %s", seq, test.message))
				if !equalJSON(t, m.Body, []byte(test.body)) {
					t.Errorf("body\n got %s\nwant %s", m.Body, test.body)
				}
			}
		})
	}
}

func TestRefusedRequests(t *testing.T) {
	server := new(Server)
	Scopes.Handle(server, func(
		context.Context, *Session, *ScopesArguments,
	) (*ScopesResponseBody, error) {
		panic("oops")
	})
	c := connect(t, server)
	c.start(adapterID)
	c.Request("mock/custom", `{"a":1}`)
	c.hear("2 mock/custom failed: unsupported command mock/custom")
	c.Request("scopes", `{"frameId":"one"}`)
	if m := c.Next(); *m.Success || !strings.Contains(m.Message, "frameId") {
		t.Errorf("got %v", m)
	}
	c.Request("scopes", `{"frameId":1}`)
	c.hear("4 scopes failed: internal error: the handler of scopes panicked")
	c.Request("cancel", `{"progressId":5}`)
	if m := c.Next(); *m.Success || !strings.Contains(m.Message, "progressId") {
		t.Errorf("got %v", m)
	}
	c.Request("threads", "")
	c.hear("6 threads ok")
	c.Request("configurationDone", "")
	c.hear("7 configurationDone ok")
}

func TestAsError(t *testing.T) {
	data := func(s string) *json.RawMessage { return new(json.RawMessage(s)) }
	for _, test := range []struct {
		name string
		err  error
		want string // empty: there is none
	}{
		{"ours", fmt.Errorf("launch: %w", Errorf(7, "no %s", "way")), "no way"},
		{"the peer's", &jsonrpc2.Error{Data: data(`{"error":{"id":7,"format":"no way"}}`)}, "no way"},
		{"a body without", &jsonrpc2.Error{Code: 7, Data: data(`{}`)}, ""},
		{"no body", &jsonrpc2.Error{Code: 7}, ""},
		{"garbage", &jsonrpc2.Error{Code: 7, Data: data(`{"error":[]}`)}, ""},
		{"any", errors.New("no way"), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			e, ok := AsError(test.err)
			if ok != (test.want != "") || ok && (e.Error() != test.want || e.ID != 7) {
				t.Errorf("got %v, %v", e, ok)
			}
		})
	}
}
