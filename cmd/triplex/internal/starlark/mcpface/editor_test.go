package mcpface

import (
	"encoding/json"
	"fmt"

	"triplex/framing"
	"triplex/host/hosttest"
)

// A peer is an editor or a debug client of the same host, played by hand.
type peer struct {
	*hosttest.Peer
	*bench
	seq int
}

func (b *bench) peer() *peer {
	b.Helper()
	return &peer{Peer: hosttest.Start(b, b.host, framing.ContentLength), bench: b}
}

// until returns the next message for which want is true. It drops those before it.
func (p *peer) until(want func(m map[string]any) bool) map[string]any {
	p.Helper()
	for {
		var m map[string]any
		if err := json.Unmarshal(p.Receive(), &m); err != nil {
			p.Fatal(err)
		}
		if want(m) {
			return m
		}
	}
}

// editor attaches an editor, with the folder as its workspace.
func (b *bench) editor(capabilities string) *peer {
	b.Helper()
	p := b.peer()
	p.Sendf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,`+
		`"rootUri":%q,"capabilities":%s}}`, uriOf(b.dir), capabilities)
	p.until(func(m map[string]any) bool { return m["id"] == 1.0 })
	p.Send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	return p
}

// canEdit are the capabilities of an editor that makes edits of others.
const canEdit = `{"workspace":{"applyEdit":true,"workspaceEdit":{"documentChanges":true}}}`

// open opens a file in an editor, and waits until the host knows.
func (p *peer) open(uri, text string) {
	p.Helper()
	p.Sendf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":`+
		`{"uri":%q,"languageId":"starlark","version":7,"text":%s}}}`, uri, quote(text))
	p.sync()
}

func (p *peer) change(uri string, version int, text string) {
	p.Helper()
	p.Sendf(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":`+
		`{"uri":%q,"version":%d},"contentChanges":[{"text":%s}]}}`, uri, version, quote(text))
	p.sync()
}

// sync waits until the host has handled what was sent: it answers a request behind it.
func (p *peer) sync() {
	p.Helper()
	p.seq++
	id := fmt.Sprint("sync", p.seq)
	p.Sendf(`{"jsonrpc":"2.0","id":%q,"method":"workspace/symbol","params":{"query":"-"}}`, id)
	p.until(func(m map[string]any) bool { return m["id"] == id })
}

func quote(s string) string {
	raw, _ := json.Marshal(s)
	return string(raw)
}

// debugger attaches a debug client.
func (b *bench) debugger() *peer {
	b.Helper()
	p := b.peer()
	p.request("initialize", `{"adapterID":"starlark","clientName":"Tester","linesStartAt1":true}`)
	return p
}

// request sends a request of the debug protocol and returns the body of its answer.
func (p *peer) request(command, arguments string) map[string]any {
	p.Helper()
	p.seq++
	seq := p.seq
	p.Sendf(`{"seq":%d,"type":"request","command":%q,"arguments":%s}`, seq, command, arguments)
	m := p.until(func(m map[string]any) bool {
		return m["type"] == "response" && m["request_seq"] == float64(seq)
	})
	if m["success"] != true {
		p.Fatalf("%s failed: %v", command, m)
	}
	body, _ := m["body"].(map[string]any)
	return body
}

// event returns the body of the next event of a name.
func (p *peer) event(name string) map[string]any {
	p.Helper()
	m := p.until(func(m map[string]any) bool { return m["type"] == "event" && m["event"] == name })
	body, _ := m["body"].(map[string]any)
	return body
}
