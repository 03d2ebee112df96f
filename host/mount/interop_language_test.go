//go:build unix

package mount_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"

	"triplex/host"
	"triplex/host/hosttest"
)

// languageClient is a client of a language server that answers what the server asks.
type languageClient struct {
	*hosttest.Peer
	t           *testing.T
	root        string
	last        int
	asked       map[string]int // requests of the server, by method
	diagnostics map[string]json.RawMessage
}

func newLanguageClient(t *testing.T, p *hosttest.Peer, root string) *languageClient {
	return &languageClient{
		Peer: p, t: t, root: root,
		asked: map[string]int{}, diagnostics: map[string]json.RawMessage{},
	}
}

func (c *languageClient) uri(name string) string { return "file://" + filepath.Join(c.root, name) }

// await receives until an answer to the request with this id comes, and returns that.
func (c *languageClient) await(id int) json.RawMessage {
	c.t.Helper()
	for {
		m := c.Receive()
		if c.heed(m) {
			continue
		}
		if got, _ := host.Member(m, "id"); string(got) == strconv.Itoa(id) {
			return m
		}
	}
}

// heed acts on a request or notification of the server. It returns false for an answer.
func (c *languageClient) heed(m json.RawMessage) bool {
	name, ok := host.Member(m, "method")
	if !ok {
		return false
	}
	method, _ := strconv.Unquote(string(name))
	params, _ := host.Member(m, "params")
	id, isRequest := host.Member(m, "id")
	switch {
	case method == "textDocument/publishDiagnostics":
		uri, _ := host.Member(params, "uri")
		c.diagnostics[string(uri)], _ = host.Member(params, "diagnostics")
	case method == "workspace/configuration":
		var p struct{ Items []json.RawMessage }
		json.Unmarshal(params, &p)
		nulls := strings.TrimSuffix(strings.Repeat("null,", len(p.Items)), ",")
		c.Send(result(string(id), "["+nulls+"]"))
	case isRequest:
		c.Send(result(string(id), "null"))
	}
	if isRequest {
		c.asked[method]++
	}
	return true
}

// ask sends a request and returns its result, or its error.
func (c *languageClient) ask(method, params string) json.RawMessage {
	c.t.Helper()
	c.last++
	c.Send(request(strconv.Itoa(c.last), method, params))
	answer := c.await(c.last)
	if result, ok := host.Member(answer, "result"); ok {
		return result
	}
	failure, _ := host.Member(answer, "error")
	return failure
}

// open does the handshake and opens a document of the folder.
func (c *languageClient) open(name, language string) {
	c.t.Helper()
	c.ask("initialize", fmt.Sprintf(`{"processId":%d,"rootUri":"file://%s","capabilities":{`+
		`"window":{"workDoneProgress":true},"workspace":{"configuration":true},`+
		`"textDocument":{"hover":{"contentFormat":["markdown"]}}},`+
		`"workspaceFolders":[{"uri":"file://%[2]s","name":"w"}]}`, os.Getpid(), c.root))
	text, err := os.ReadFile(filepath.Join(c.root, name))
	if err != nil {
		c.t.Fatal(err)
	}
	c.Send(notification("initialized", "{}"), notification("textDocument/didOpen", fmt.Sprintf(
		`{"textDocument":{"uri":%q,"languageId":%q,"version":1,"text":%q}}`,
		c.uri(name), language, text)))
}

// cancel sends a request and cancels it at once: it must be answered once, one way or the other.
func (c *languageClient) cancel(method, params string) {
	c.t.Helper()
	c.last++
	id := strconv.Itoa(c.last)
	c.Send(request(id, method, params), notification(host.CancelMethod, `{"id":`+id+`}`))
	c.await(c.last)
}

// close ends the session in order.
func (c *languageClient) close() {
	c.t.Helper()
	c.ask("shutdown", "")
	c.Send(notification("exit", ""))
}

// at is the params of a request about a place.
func (c *languageClient) at(name string, line, character int) string {
	return fmt.Sprintf(`{"textDocument":{"uri":%q},"position":{"line":%d,"character":%d}}`,
		c.uri(name), line, character)
}

// languageServer is a language server under test.
type languageServer struct {
	args           []string
	file, language string
	text           string
	line, column   int    // of something that can be hovered over
	asks           string // a request that it makes, if it is known to make one
	publishes      bool   // diagnostics when it has read a document, and is not complete before
}

func (s languageServer) folder(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{s.file: s.text, "go.mod": "module m\n\ngo 1.24\n"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// greet opens the document, and waits until the server knows about it.
func (s languageServer) greet(c *languageClient) {
	c.t.Helper()
	c.open(s.file, s.language)
	for s.publishes && c.diagnostics[strconv.Quote(c.uri(s.file))] == nil {
		c.heed(c.Receive())
	}
	c.ask("textDocument/hover", c.at(s.file, s.line, s.column))
}

// talk has a conversation and returns what the client got.
func (s languageServer) talk(c *languageClient) map[string]any {
	c.t.Helper()
	place := c.at(s.file, s.line, s.column)
	document := fmt.Sprintf(`{"textDocument":{"uri":%q}}`, c.uri(s.file))
	references := strings.TrimSuffix(place, "}") + `,"context":{"includeDeclaration":true}}`
	got := map[string]any{}
	for _, ask := range [][2]string{
		{"textDocument/hover", place}, {"textDocument/definition", place},
		{"textDocument/references", references}, {"textDocument/documentSymbol", document},
	} {
		var res any
		if err := json.Unmarshal(c.ask(ask[0], ask[1]), &res); err != nil {
			c.t.Fatal(err)
		}
		got[ask[0]] = res
	}
	c.cancel("textDocument/completion", place)
	if s.asks != "" && c.asked[s.asks] == 0 {
		c.t.Errorf("the server did not ask for %s, only %v", s.asks, c.asked)
	}
	c.close()
	return got
}

func (s languageServer) spec() string { return "lsp=exec:" + strings.Join(s.args, " ") }

// test compares what clients get, ten of them at once through the host.
func (s languageServer) test(t *testing.T) {
	root := s.folder(t)
	alone := newLanguageClient(t, without(t, s.args...), root)
	s.greet(alone)
	want := s.talk(alone)
	if all, _ := json.Marshal(want); !bytes.Contains(all, []byte("greet")) {
		t.Errorf("not much of a server: %s", all)
	}
	var clients []*languageClient
	for range 10 {
		c := newLanguageClient(t, throughHost(t, s.spec()), root)
		s.greet(c) // one after the other: starting is work for some servers
		clients = append(clients, c)
	}
	var talks sync.WaitGroup
	for _, c := range clients {
		talks.Go(func() {
			if got := s.talk(c); !reflect.DeepEqual(got, want) {
				t.Errorf("got\n%v\nwant\n%v", got, want)
			}
		})
	}
	talks.Wait()
}

func TestInteropGopls(t *testing.T) {
	languageServer{
		args: []string{installed(t, "bin/gopls")}, file: "main.go", language: "go",
		text: "package main\n\n// greet says hello.\nfunc greet(name string) string {\n" +
			"\treturn \"hello, \" + name\n}\n\nfunc main() { println(greet(\"wörld\")) }\n",
		line: 7, column: 25, asks: "workspace/configuration", publishes: true,
	}.test(t)
}

func TestInteropYAML(t *testing.T) {
	languageServer{
		args: []string{installed(t, "node_modules/.bin/yaml-language-server"), "--stdio"},
		file: "main.yaml", language: "yaml", text: "greet:\n  name: wörld\n", line: 1, column: 3,
	}.test(t)
}

func TestInteropJSON(t *testing.T) {
	languageServer{
		args: []string{installed(t, "node_modules/.bin/vscode-json-language-server"), "--stdio"},
		file: "main.json", language: "json", text: `{"greet": "wörld"}`, line: 0, column: 3,
	}.test(t)
}

func TestInteropPyright(t *testing.T) {
	languageServer{
		args: []string{installed(t, "node_modules/.bin/pyright-langserver"), "--stdio"},
		file: "main.py", language: "python", line: 4, column: 2,
		text: "def greet(name: str) -> str:\n    return \"hello, \" + name\n\n\ngreet(\"wörld\")\n",
	}.test(t)
}

func TestInteropTypeScript(t *testing.T) {
	languageServer{
		args: []string{installed(t, "node_modules/.bin/typescript-language-server"), "--stdio"},
		file: "main.ts", language: "typescript",
		text: "function greet(name: string) {\n  return `hello, ${name}`;\n}\n\ngreet(\"wörld\");\n",
		line: 4, column: 2,
	}.test(t)
}

func TestInteropBash(t *testing.T) {
	languageServer{
		args: []string{installed(t, "node_modules/.bin/bash-language-server"), "start"},
		file: "main.sh", language: "shellscript",
		text: "#!/bin/bash\n# greet says hello.\ngreet() {\n  echo \"hello, $1\"\n}\n\ngreet wörld\n",
		line: 6, column: 2, publishes: true,
	}.test(t)
}
