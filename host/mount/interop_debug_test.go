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
	terminal  *exec.Cmd                  // what the adapter had it run, nil if nothing
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
	} else if command, ok := host.Member(m, "command"); !ok {
		c.events = append(c.events, m)
	} else if string(command) == `"runInTerminal"` {
		c.runInTerminal(m)
	} else {
		c.t.Fatalf("asked for %s", m)
	}
}

// runInTerminal starts what the adapter asks for, as an editor does in its terminal.
func (c *debugClient) runInTerminal(request json.RawMessage) {
	c.t.Helper()
	var r struct {
		Seq       int
		Arguments struct{ Args []string }
	}
	if err := json.Unmarshal(request, &r); err != nil || len(r.Arguments.Args) == 0 {
		c.t.Fatalf("nothing to run: %s, %v", request, err)
	}
	c.terminal = exec.Command(r.Arguments.Args[0], r.Arguments.Args[1:]...)
	c.terminal.Stdout = &strings.Builder{}
	if err := c.terminal.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() {
		c.terminal.Process.Kill()
		c.terminal.Wait()
	})
	c.last++
	c.Sendf(`{"seq":%d,"type":"response","request_seq":%d,"success":true,`+
		`"command":"runInTerminal","body":{"processId":%d}}`, c.last, r.Seq, c.terminal.Process.Pid)
}

// event waits for an event, unless it has come already, and returns its body.
func (c *debugClient) event(name string) json.RawMessage {
	c.t.Helper()
	for {
		if body, ok := c.came(name); ok {
			return body
		}
		c.receive()
	}
}

// came returns the body of an event that has come already and was not returned before.
func (c *debugClient) came(name string) (body json.RawMessage, ok bool) {
	for i, m := range c.events {
		if got, _ := host.Member(m, "event"); string(got) == `"`+name+`"` {
			c.events = append(c.events[:i:i], c.events[i+1:]...)
			body, _ := host.Member(m, "body")
			return body, true
		}
	}
	return nil, false
}

// printed returns what the program has printed, where its adapter or a terminal passes that on.
func (c *debugClient) printed() string {
	c.t.Helper()
	if c.terminal != nil {
		c.terminal.Wait() // the status is the debugger's to tell
		return fmt.Sprint(c.terminal.Stdout)
	}
	var all strings.Builder
	for body, ok := c.came("output"); ok; body, ok = c.came("output") {
		var o struct{ Category, Output string }
		json.Unmarshal(body, &o)
		if o.Category == "stdout" {
			all.WriteString(o.Output)
		}
	}
	return all.String()
}

// The programs to debug, to a breakpoint in line 5.
const (
	debuggeeGo = "package main\n\nfunc double(n int) int {\n\tm := 2 * n\n\treturn m\n}\n\n" +
		"func main() { println(double(21)) }\n"
	debuggeeC = "#include <stdio.h>\n\nstatic int twice(int n) {\n\tint m = 2 * n;\n" +
		"\treturn m;\n}\n\nint main(void) {\n\tprintf(\"%d\\n\", twice(21));\n\treturn 3;\n}\n"
)

// debug runs a program to a breakpoint and to its end, and returns what the client saw there.
func (c *debugClient) debug(source, launching string) map[string]string {
	c.t.Helper()
	c.ask("initialize", `{"adapterID":"a","linesStartAt1":true,"supportsRunInTerminalRequest":true}`)
	launch := c.send("launch", launching)
	c.event("initialized")
	c.ask("setBreakpoints", fmt.Sprintf(`{"source":{"path":%q},"breakpoints":[{"line":5}]}`,
		source))
	c.ask("configurationDone", "{}")
	c.await(launch)
	stopped := c.event("stopped")
	thread, _ := host.Member(stopped, "threadId")
	reason, _ := host.Member(stopped, "reason")
	got := c.inspect(string(thread))
	got["reason"] = string(reason)
	c.ask("continue", `{"threadId":`+string(thread)+`}`)
	c.event("terminated")
	exited, _ := c.came("exited")
	got["end"], got["printed"] = string(exited), c.printed()
	c.ask("disconnect", "{}")
	return got
}

// inspect returns the place where a thread has stopped, and the variables there.
func (c *debugClient) inspect(thread string) map[string]string {
	c.t.Helper()
	var stack struct {
		StackFrames []struct {
			ID, Line int
			Name     string
		}
	}
	json.Unmarshal(c.ask("stackTrace", `{"threadId":`+thread+`}`), &stack)
	top := stack.StackFrames[0]
	var scopes struct {
		Scopes []struct{ VariablesReference int }
	}
	json.Unmarshal(c.ask("scopes", fmt.Sprintf(`{"frameId":%d}`, top.ID)), &scopes)
	var variables struct {
		Variables []struct{ Name, Value string }
	}
	json.Unmarshal(c.ask("variables", fmt.Sprintf(`{"variablesReference":%d}`,
		scopes.Scopes[0].VariablesReference)), &variables)
	got := map[string]string{"top": fmt.Sprint(top.Name, top.Line)}
	for _, v := range variables.Variables {
		got[v.Name] = v.Value
	}
	return got
}

// program compiles a program called debuggee, and returns the paths of its source and of itself.
func program(t *testing.T, file, text string, compile ...string) (source, path string) {
	t.Helper()
	root := languageServer{file: file, text: text}.folder(t)
	build := exec.Command(compile[0], compile[1:]...)
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return filepath.Join(root, file), filepath.Join(root, "debuggee")
}

func TestInteropDelve(t *testing.T) {
	dlv := installed(t, "bin/dlv")
	source, path := program(t, "main.go", debuggeeGo,
		"go", "build", "-gcflags=-N -l", "-o", "debuggee", ".")
	launch := fmt.Sprintf(`{"mode":"exec","program":%q}`, path)
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
	want := newDebugClient(t, p).debug(source, launch)

	relayed := throughHost(t, "dap=exec:"+dlv+" dap --listen=127.0.0.1:${port}")
	got := newDebugClient(t, relayed).debug(source, launch)
	if !reflect.DeepEqual(got, want) || got["m"] != "42" {
		t.Errorf("got %v, want %v", got, want)
	}
}

// overTCP serves a mount to a new client that dials.
func overTCP(t *testing.T, spec string) *hosttest.Peer {
	t.Helper()
	set := parse(spec)
	t.Cleanup(func() { set.Close() })
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &host.Host{Mounts: []host.MethodSet{set}}
	served := make(chan error, 1)
	go func() { served <- h.Serve(ln) }()
	t.Cleanup(func() {
		h.Close()
		<-served
	})
	conn, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return hosttest.NewPeer(t, conn, framing.ContentLength)
}

func TestInteropLLDB(t *testing.T) {
	adapter := installed(t, "bin/lldb-dap-19")
	source, path := program(t, "main.c", debuggeeC, "cc", "-g", "-O0", "-o", "debuggee", "main.c")
	for name, terminal := range map[string]bool{"console": false, "terminal": true} {
		t.Run(name, func(t *testing.T) {
			launch := fmt.Sprintf(`{"program":%q,"runInTerminal":%t}`, path, terminal)
			alone := newDebugClient(t, without(t, adapter))
			want := alone.debug(source, launch)
			if want["m"] != "42" || !strings.HasPrefix(want["printed"], "42") ||
				want["end"] != `{"exitCode":3}` || (alone.terminal != nil) != terminal {
				t.Errorf("not much of a debugger: %v", want)
			}
			for name, p := range map[string]*hosttest.Peer{
				"child on stdio, client in memory": throughHost(t, "dap=exec:"+adapter),
				"child on stdio, client over TCP":  overTCP(t, "dap=exec:"+adapter),
				"child and client over TCP":        overTCP(t, "dap=exec:"+adapter+" --port ${port}"),
			} {
				if got := newDebugClient(t, p).debug(source, launch); !reflect.DeepEqual(got, want) {
					t.Errorf("%s: got %v, want %v", name, got, want)
				}
			}
		})
	}
}
