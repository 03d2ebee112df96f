//go:build unix

package mount_test

import (
	"encoding/json"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

// debugClient is a client of a debug adapter.
type debugClient struct {
	*hosttest.Peer
	t         *testing.T
	last      int
	events    []json.RawMessage
	responses map[string]json.RawMessage // that nobody has waited for yet, by request_seq
}

func newDebugClient(t *testing.T, p *hosttest.Peer) *debugClient {
	return &debugClient{Peer: p, t: t, responses: map[string]json.RawMessage{}}
}

// send sends a request and returns its number.
func (c *debugClient) send(command, arguments string) int {
	c.last++
	c.Sendf(`{"seq":%d,"type":"request","command":%q,"arguments":%s}`, c.last, command, arguments)
	return c.last
}

// ask sends a request and returns the body of its response.
func (c *debugClient) ask(command, arguments string) json.RawMessage {
	c.t.Helper()
	return c.await(c.send(command, arguments))
}

// await waits for the response to a request, and returns its body.
func (c *debugClient) await(seq int) json.RawMessage {
	c.t.Helper()
	for c.responses[strconv.Itoa(seq)] == nil {
		c.receive()
	}
	m := c.responses[strconv.Itoa(seq)]
	if success, _ := host.Member(m, "success"); string(success) != "true" {
		c.t.Fatalf("failed: %s", m)
	}
	body, _ := host.Member(m, "body")
	return body
}

func (c *debugClient) receive() {
	c.t.Helper()
	m := c.Receive()
	if seq, ok := host.Member(m, "request_seq"); ok {
		c.responses[string(seq)] = m
	} else {
		c.events = append(c.events, m)
	}
}

// event waits for an event, unless it has come already, and returns its body.
func (c *debugClient) event(name string) json.RawMessage {
	c.t.Helper()
	for {
		for i, m := range c.events {
			if got, _ := host.Member(m, "event"); string(got) == `"`+name+`"` {
				c.events = append(c.events[:i:i], c.events[i+1:]...)
				body, _ := host.Member(m, "body")
				return body
			}
		}
		c.receive()
	}
}

const debuggee = "package main\n\nfunc double(n int) int {\n\tm := 2 * n\n\treturn m\n}\n\n" +
	"func main() { println(double(21)) }\n"

// debug runs a program to a breakpoint and to its end, and returns what the client saw there.
func (c *debugClient) debug(root string) map[string]string {
	c.t.Helper()
	c.ask("initialize", `{"adapterID":"go","linesStartAt1":true,"supportsRunInTerminalRequest":true}`)
	launch := c.send("launch", fmt.Sprintf(`{"mode":"exec","program":%q}`,
		filepath.Join(root, "debuggee")))
	c.event("initialized")
	c.ask("setBreakpoints", fmt.Sprintf(`{"source":{"path":%q},"breakpoints":[{"line":5}]}`,
		filepath.Join(root, "main.go")))
	c.ask("configurationDone", "{}")
	c.await(launch)
	thread, _ := host.Member(c.event("stopped"), "threadId")
	var stack struct {
		StackFrames []struct {
			ID, Line int
			Name     string
		}
	}
	json.Unmarshal(c.ask("stackTrace", `{"threadId":`+string(thread)+`}`), &stack)
	var scopes struct {
		Scopes []struct{ VariablesReference int }
	}
	json.Unmarshal(c.ask("scopes", fmt.Sprintf(`{"frameId":%d}`, stack.StackFrames[0].ID)), &scopes)
	got := map[string]string{"top": fmt.Sprint(stack.StackFrames[0].Name, stack.StackFrames[0].Line)}
	var variables struct {
		Variables []struct{ Name, Value string }
	}
	json.Unmarshal(c.ask("variables", fmt.Sprintf(`{"variablesReference":%d}`,
		scopes.Scopes[0].VariablesReference)), &variables)
	for _, v := range variables.Variables {
		got[v.Name] = v.Value
	}
	c.ask("continue", `{"threadId":`+string(thread)+`}`)
	c.event("terminated")
	c.ask("disconnect", "{}")
	return got
}

func TestInteropDelve(t *testing.T) {
	dlv := installed(t, "bin/dlv")
	root := languageServer{file: "main.go", text: debuggee}.folder(t)
	build := exec.Command("go", "build", "-gcflags=-N -l", "-o", "debuggee", ".")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	adapter := exec.Command(dlv, "dap", "--listen=127.0.0.1:0")
	out, err := adapter.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := adapter.Start(); err != nil {
		t.Fatal(err)
	}
	defer adapter.Wait()
	defer adapter.Process.Kill()
	announced := make([]byte, 1000)
	n, _ := out.Read(announced)
	_, address, _ := strings.Cut(strings.TrimSpace(string(announced[:n])), "listening at: ")
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	p := hosttest.NewPeer(t, conn, framing.ContentLength)
	want := newDebugClient(t, p).debug(root)

	relayed := throughHost(t, "dap=exec:"+dlv+" dap --listen=127.0.0.1:${port}")
	got := newDebugClient(t, relayed).debug(root)
	if !reflect.DeepEqual(got, want) || got["m"] != "42" {
		t.Errorf("got %v, want %v", got, want)
	}
}
