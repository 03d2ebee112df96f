package mount_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

// tongue is a protocol as a client speaks it with the fake server.
type tongue struct {
	kind      string
	handshake string // the params of initialize
	began     string // the notification that follows the answer; empty if there is none
	cancelled string // in the answer to a request that the end of its session cuts off
	lasting   bool   // the session outlives its server
	status    int    // of a host whose client is gone
}

var tongues = []tongue{
	{"plain", `{}`, "", "request cancelled", true, 0},
	{"lsp", `{"processId":null,"capabilities":{}}`, "initialized", "request cancelled", true, 1},
	{"mcp", `{"protocolVersion":"2025-06-18"}`, "notifications/initialized", "session ended", true, 0},
	{"dap", `{"adapterID":"x"}`, "", "cancelled", false, 0},
}

// forEach runs a test in each protocol.
func forEach(t *testing.T, test func(t *testing.T, g tongue)) {
	for _, g := range tongues {
		t.Run(g.kind, func(t *testing.T) { test(t, g) })
	}
}

// request returns the text of a request; params may be empty.
func (g tongue) request(id int, method, params string) string {
	if g.kind != "dap" {
		return request(strconv.Itoa(id), method, params)
	}
	if params != "" {
		params = `,"arguments":` + params
	}
	return fmt.Sprintf(`{"seq":%d,"type":"request","command":%q%s}`, id, method, params)
}

// reply returns the text of an answer.
func (g tongue) reply(id, method, result string) string {
	return (&fake{debugs: g.kind == "dap"}).reply(id, method, result)
}

// answer waits for the answer to a request.
func (g tongue) answer(p *hosttest.Peer, id int) string {
	member := "id"
	if g.kind == "dap" {
		member = "request_seq"
	}
	for {
		frame := p.Receive()
		if raw, _ := host.Member(frame, member); string(raw) == strconv.Itoa(id) {
			return string(frame)
		}
	}
}

// begin does the handshake, with the id 1.
func (g tongue) begin(p *hosttest.Peer) {
	p.Send(g.request(1, "initialize", g.handshake))
	g.answer(p, 1)
	if g.began != "" {
		p.Send(notification(g.began, "{}"))
	}
}

// find asks the fake server for a process, in a request with the id given.
func (g tongue) find(t *testing.T, p *hosttest.Peer, id int, method string) process {
	t.Helper()
	p.Send(g.request(id, method, ""))
	answer := json.RawMessage(g.answer(p, id))
	raw, ok := host.Member(answer, "result")
	if !ok {
		raw, _ = host.Member(answer, "body")
	}
	pid, err := strconv.Atoi(string(raw))
	if err != nil {
		t.Fatalf("%s: %v", answer, err)
	}
	return find(t, pid)
}

// TestAServerEnds ends a server in every way while a request waits for its answer.
func TestAServerEnds(t *testing.T) {
	const waits = "mute was not answered: "
	tests := []struct {
		name string
		end  func(t *testing.T, g tongue, p *hosttest.Peer, server, guard process)
		want string
	}{
		{"killed", func(t *testing.T, _ tongue, _ *hosttest.Peer, server, _ process) {
			server.signal(t, unix.SIGKILL)
		}, "was ended by signal \\\"killed\\\""},
		{"its guard killed", func(t *testing.T, _ tongue, _ *hosttest.Peer, _, guard process) {
			guard.signal(t, unix.SIGKILL)
		}, "its guard process was killed"},
		{"half an answer", func(_ *testing.T, g tongue, p *hosttest.Peer, _, _ process) {
			p.Send(g.request(7, fakeHalf, ""))
		}, "100"},
		{"no output", func(_ *testing.T, g tongue, p *hosttest.Peer, _, _ process) {
			p.Send(g.request(7, fakeShut, ""))
		}, "ended its output"},
		{"no input", func(_ *testing.T, g tongue, p *hosttest.Peer, _, _ process) {
			more := `["` + strings.Repeat("x", 4<<20) + `"]` // than fits into a pipe
			p.Send(g.request(7, fakeBlind, ""), g.request(8, "mute", more))
		}, "broken pipe"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			forEach(t, func(t *testing.T, g tongue) {
				p := start(t, fakeMount(t, g.kind, framing.ContentLength))
				g.begin(p)
				server, guard := g.find(t, p, 2, fakePID), g.find(t, p, 3, fakeGuard)
				descendant := g.find(t, p, 4, fakeSpawn)
				p.Send(g.request(5, "mute", ""), g.request(6, "echo", "[6]"))
				g.answer(p, 6) // so the server has both
				tt.end(t, g, p, server, guard)
				wantIn(t, g.answer(p, 5), waits, tt.want)
				server.wantGone(t)
				descendant.wantGone(t)
				if g.lasting {
					p.Send(g.request(9, "echo", "[9]"))
					wantIn(t, g.answer(p, 9), "[9]")
				}
			})
		})
	}
}

// hostProcess is a host in a process of its own, with a mounted server and the server's descendant.
type hostProcess struct {
	*hosttest.Peer
	cmd                      *exec.Cmd
	host, server, descendant process
}

// startHost starts a host, and does the handshake of its client.
func startHost(t *testing.T, g tongue, options ...string) *hostProcess {
	t.Helper()
	spec := g.kind + "=exec:" + os.Args[0] + " " + roleFake + " content-length"
	h := &hostProcess{
		cmd: exec.Command(os.Args[0], roleHost, strings.Join(append([]string{spec}, options...), " ")),
	}
	h.cmd.Stderr = os.Stderr
	in, err := h.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := h.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := h.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	h.host = find(t, h.cmd.Process.Pid)
	h.Peer = hosttest.NewPeer(t, pipes{out, in}, framing.ContentLength)
	g.begin(h.Peer)
	h.server = g.find(t, h.Peer, 2, fakePID)
	h.descendant = g.find(t, h.Peer, 3, fakeSpawn)
	return h
}

// wantGone fails the test unless the host and everything below it ends, the host with a status.
func (h *hostProcess) wantGone(t *testing.T, status string) {
	t.Helper()
	h.host.wantGone(t)
	h.server.wantGone(t)
	h.descendant.wantGone(t)
	h.cmd.Wait()
	if got := h.cmd.ProcessState.String(); got != status {
		t.Errorf("the host: %s, want %s", got, status)
	}
}

// TestNothingIsLeftOfAHost ends a host in every way while a request waits for its answer.
func TestNothingIsLeftOfAHost(t *testing.T) {
	tests := []struct {
		name string
		end  func(t *testing.T, g tongue, h *hostProcess)
	}{
		{"the client is killed", func(t *testing.T, g tongue, h *hostProcess) {
			h.Close()
			h.wantGone(t, fmt.Sprint("exit status ", g.status))
		}},
		{"the client is killed, the server stopped", func(t *testing.T, g tongue, h *hostProcess) {
			h.server.signal(t, unix.SIGSTOP)
			h.Close()
			h.wantGone(t, fmt.Sprint("exit status ", g.status))
		}},
		{"the host is killed", func(t *testing.T, _ tongue, h *hostProcess) {
			h.host.signal(t, unix.SIGKILL)
			h.wantGone(t, "signal: killed")
		}},
		{"the host is killed, the server stopped", func(t *testing.T, _ tongue, h *hostProcess) {
			h.server.signal(t, unix.SIGSTOP)
			h.host.signal(t, unix.SIGKILL)
			h.wantGone(t, "signal: killed")
		}},
		{"the host is told to end", func(t *testing.T, g tongue, h *hostProcess) {
			h.host.signal(t, unix.SIGTERM)
			wantIn(t, g.answer(h.Peer, 4), g.cancelled)
			h.wantGone(t, fmt.Sprint("exit status ", g.status))
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			forEach(t, func(t *testing.T, g tongue) {
				h := startHost(t, g, "stubborn")
				h.Send(g.request(4, "mute", ""), g.request(5, "echo", "[5]"))
				g.answer(h.Peer, 5) // so the server has both
				tt.end(t, g, h)
			})
		})
	}
}

func TestAHostExitsWithItsSession(t *testing.T) {
	t.Run("shutdown and exit", func(t *testing.T) {
		h := startHost(t, tongues[1])
		h.Send(request("4", "shutdown", ""))
		h.Expect(result("4", "null"))
		h.Send(notification("exit", ""))
		h.wantGone(t, "exit status 0")
	})
	t.Run("disconnect", func(t *testing.T) {
		h := startHost(t, tongues[3])
		h.Send(tongues[3].request(4, "disconnect", ""))
		tongues[3].answer(h.Peer, 4)
		h.wantGone(t, "exit status 0")
	})
}

// TestADialledServerEnds ends the connection to a server while a request waits for its answer.
func TestADialledServerEnds(t *testing.T) {
	forEach(t, func(t *testing.T, g tongue) {
		p, server := dialled(t, g.kind, framing.ContentLength)
		p.Send(g.request(1, "initialize", g.handshake))
		server.Receive()
		server.Close()
		wantIn(t, g.answer(p, 1), "initialize was not answered: the server closed the connection")
		if !g.lasting {
			p.ExpectEnd()
		}
	})
}

// TestAClientOfADialledServerEnds: the server learns of it as from a client of its own.
func TestAClientOfADialledServerEnds(t *testing.T) {
	forEach(t, func(t *testing.T, g tongue) {
		p, server := dialled(t, g.kind, framing.ContentLength)
		p.Send(g.request(1, "initialize", g.handshake))
		server.Receive()
		server.Send(g.reply("1", "initialize", "{}"))
		g.answer(p, 1)
		p.Close()
		server.ExpectEnd()
	})
}
