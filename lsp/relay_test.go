package lsp

import (
	"encoding/json"
	"testing"

	"triplex/host"
)

func TestRelaySplicesTheProcess(t *testing.T) {
	const before = `{"processId" : 4711, "rootUri":null , "x":1.0}`
	tests := []struct {
		name, method, params string
		pid                  int
		want                 string
	}{
		{"a process", "initialize", before, 12, `{"processId" : 12, "rootUri":null , "x":1.0}`},
		{"none to name", "initialize", before, 0, `{"processId" : null, "rootUri":null , "x":1.0}`},
		{"none named", "initialize", `{"processId":null}`, 12, `{"processId":null}`},
		{"absent", "initialize", `{"a":1}`, 12, `{"a":1}`},
		{"another method", "custom", before, 12, before},
		{"no params", "shutdown", "", 12, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := &host.Message{
				Kind: host.KindRequest, Method: tt.method, Params: json.RawMessage(tt.params),
			}
			if got := Dialect.Relay(m, nil, tt.pid); string(got) != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// TestReplay tells of a session that has changed in every way it can, and compares what a new
// server would hear.
func TestReplay(t *testing.T) {
	const opened = `{"textDocument":{"uri":"file:///C:/a","languageId":"go","version":1,` +
		`"text":"a𐐀b"}}`
	const other = `{"textDocument":{"uri":"file:///b","languageId":"go","version":1,"text":""}}`
	const change = `{"textDocument":{"uri":"file:///c%3A/a","version":7},"contentChanges":[` +
		`{"range":{"start":{"line":0,"character":5},"end":{"line":0,"character":6}},"text":"c"}]}`
	r := Dialect.NewReplay()
	for _, m := range []struct{ method, params, result string }{
		{"initialize", `{"capabilities":{}}`, `{"capabilities":{"positionEncoding":"utf-8"}}`},
		{"initialized", `{}`, ""},
		{"workspace/didChangeConfiguration", `{"settings":1}`, ""},
		{"workspace/didChangeConfiguration", `{"settings":2}`, ""},
		{"workspace/didChangeWorkspaceFolders", `{"event":{}}`, ""},
		{"textDocument/didOpen", opened, ""},
		{"textDocument/didOpen", other, ""},
		{"textDocument/didChange", change, ""},
		{"textDocument/didClose", `{"textDocument":{"uri":"file:///b"}}`, ""},
		{"textDocument/didOpen", `{"textDocument":5}`, ""},
		{"textDocument/hover", `{}`, `null`},
	} {
		r.Note(&host.Message{
			Method: m.method, Params: json.RawMessage(m.params), Result: json.RawMessage(m.result),
		})
	}
	want := [][2]string{
		{"initialize", `{"capabilities":{}}`},
		{"initialized", `{}`},
		{"workspace/didChangeConfiguration", `{"settings":2}`},
		{"workspace/didChangeWorkspaceFolders", `{"event":{}}`},
		{"textDocument/didOpen",
			`{"textDocument":{"uri":"file:///C:/a","languageId":"go","version":7,"text":"a𐐀c"}}`},
	}
	got := r.Messages()
	if len(got) != len(want) {
		t.Fatalf("%d messages, want %d", len(got), len(want))
	}
	for i, m := range got {
		if m.Method != want[i][0] || string(m.Params) != want[i][1] {
			t.Errorf("%s %s\nwant %s %s", m.Method, m.Params, want[i][0], want[i][1])
		}
	}
}
