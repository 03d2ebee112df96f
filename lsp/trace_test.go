package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
)

func TestT1Trace(t *testing.T) {
	const brief, full = `{"message":"m"}`, `{"message":"m","verbose":"details"}`
	tests := []struct {
		name, initial string
		set           []string
		want          string // params of $/logTrace, "" for none
	}{
		{"not asked for", "", nil, ""},
		{"off", "off", nil, ""},
		{"messages", "messages", nil, brief},
		{"verbose", "verbose", nil, full},
		{"switched on", "off", []string{`"verbose"`}, full},
		{"switched down", "verbose", []string{`"messages"`}, brief},
		{"switched off", "verbose", []string{`"off"`}, ""},
		{"unknown value", "messages", []string{`"loud"`}, brief},
		{"wrong type", "messages", []string{`7`}, brief},
		{"compact is not of the protocol", "messages", []string{`"off"`, `"compact"`}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv := &Server{}
			note.Handle(srv, func(ctx context.Context, s *Session, _ json.RawMessage) error {
				return s.LogTrace(ctx, "m", "details")
			})
			p := start(t, srv)
			params := `{"capabilities":{}}`
			if tt.initial != "" {
				params = fmt.Sprintf(`{"capabilities":{},"trace":%q}`, tt.initial)
			}
			p.Send(request("0", "initialize", params))
			answer(t, p, "0")
			for _, v := range tt.set {
				p.Send(notification("$/setTrace", `{"value":`+v+`}`))
			}
			p.Send(notification("test/note", "{}"))
			if tt.want != "" {
				p.Expect(notification("$/logTrace", tt.want))
			}
			settle(t, p)
		})
	}
}
