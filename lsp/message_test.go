package lsp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
)

func TestConfiguration(t *testing.T) {
	const able = `{"workspace":{"configuration":true}}`
	tests := []struct {
		name, capabilities string
		reply              string // to workspace/configuration, "" if it is not asked
		want               []string
		wantError          string
	}{
		{"values", able, `[{"a":1},null,"x"]`, []string{`{"a":1}`, "", `"x"`}, ""},
		{"too few", able, `[1]`, nil, "1 values for 3 sections"},
		{"null", able, `null`, nil, "0 values for 3 sections"},
		{"no array", able, `{}`, nil, "result of workspace/configuration"},
		{"not able", "{}", "", nil, "unsupported"},
		{"not willing", `{"workspace":{"configuration":false}}`, "", nil, "unsupported"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			srv, done := registering(func(ctx context.Context, s *Session) error {
				values, err := s.Configuration(ctx, "a", "b", "c")
				for _, v := range values {
					got = append(got, string(v))
				}
				return err
			})
			p, _ := greet(t, srv, tt.capabilities)
			p.Send(notification("test/note", "{}"))
			if tt.reply != "" {
				id, params := wantCall(t, p, "workspace/configuration")
				want := `{"items":[{"section":"a"},{"section":"b"},{"section":"c"}]}`
				if string(params) != want {
					t.Errorf("params are %s", params)
				}
				p.Send(result(id, tt.reply))
			}
			checkError(t, <-done, tt.wantError)
			if fmt.Sprint(got) != fmt.Sprint(tt.want) {
				t.Errorf("values are %q, expected %q", got, tt.want)
			}
			settle(t, p)
		})
	}
}

func checkError(t *testing.T, err error, want string) {
	t.Helper()
	if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
		t.Errorf("error is %v, expected %q", err, want)
	}
	if want == "unsupported" && !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("error %v is not ErrUnsupported", err)
	}
}

func TestApplyEdit(t *testing.T) {
	const able = `{"workspace":{"applyEdit":true}}`
	tests := []struct{ name, capabilities, reply, wantError string }{
		{"applied", able, `{"applied":true}`, ""},
		{"refused", able, `{"applied":false}`, "did not apply the edit"},
		{"with a reason", able, `{"applied":false,"failureReason":"read only"}`, ": read only"},
		{"null", able, `null`, "did not apply the edit"},
		{"not able", "{}", "", "unsupported"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv, done := registering(func(ctx context.Context, s *Session) error {
				return s.ApplyEdit(ctx, "Sort", protocol.WorkspaceEdit{})
			})
			p, _ := greet(t, srv, tt.capabilities)
			p.Send(notification("test/note", "{}"))
			if tt.reply != "" {
				id, params := wantCall(t, p, "workspace/applyEdit")
				if string(params) != `{"label":"Sort","edit":{}}` {
					t.Errorf("params are %s", params)
				}
				p.Send(result(id, tt.reply))
			}
			checkError(t, <-done, tt.wantError)
			settle(t, p)
		})
	}
}

func TestMessages(t *testing.T) {
	srv, done := registering(func(ctx context.Context, s *Session) error {
		return errors.Join(
			s.ShowMessage(ctx, protocol.MessageTypeWarning, "look"),
			s.LogMessage(ctx, protocol.MessageTypeLog, "note"))
	})
	p, _ := greet(t, srv, "{}")
	p.Send(notification("test/note", "{}"))
	p.Expect(notification("window/showMessage", `{"type":2,"message":"look"}`))
	p.Expect(notification("window/logMessage", `{"type":4,"message":"note"}`))
	checkError(t, <-done, "")
}

func TestPublishDiagnostics(t *testing.T) {
	tests := []struct {
		name string
		p    protocol.PublishDiagnosticsParams
		want string
	}{
		{"open document, as the client spells it",
			protocol.PublishDiagnosticsParams{
				URI: "file:///c%3A/a.star", Version: protocol.NewOptional(int32(0)),
				Diagnostics: []protocol.Diagnostic{{Message: protocol.String("m")}},
			},
			`{"uri":"file:///C:/a.star","version":0,"diagnostics":[{"range":{"start":` +
				`{"line":0,"character":0},"end":{"line":0,"character":0}},"message":"m"}]}`},
		{"other document, cleared",
			protocol.PublishDiagnosticsParams{URI: "file:///b.star"},
			`{"uri":"file:///b.star","diagnostics":[]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv, done := registering(func(ctx context.Context, s *Session) error {
				return s.PublishDiagnostics(ctx, &tt.p)
			})
			p, _ := greet(t, srv, "{}")
			p.Send(
				notification("textDocument/didOpen", `{"textDocument":{"uri":"file:///C:/a.star",`+
					`"languageId":"starlark","version":0,"text":""}}`),
				notification("test/note", "{}"))
			p.Expect(notification("textDocument/publishDiagnostics", tt.want))
			checkError(t, <-done, "")
		})
	}
}
