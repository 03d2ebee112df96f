//go:build unix

package mount_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"triplex/framing"
	"triplex/host"
	"triplex/host/transport"
)

// fake is a server that does what its requests say. It knows bytes and no protocol library, so that
// a test sees what really reached it.
type fake struct {
	in      *framing.Reader
	out     io.Writer
	framing framing.Framing
	heard   []string // every frame but those that ask for them
	wanted  int      // so many have to be heard before they are told
	asker   string   // the id of who wants to know
	debugs  bool     // the last frame was one of a debugger's client
}

// Notifications of the fake server; others are only heard.
const (
	fakeRaw = "raw" // params [text,...]: writes the texts as they are
	fakeSay = "say" // params [text,...]: writes the texts as messages
)

// Requests of the fake server. Any other is answered with its params, unless its method begins with
// "mute": it is only heard then.
const (
	fakeHeard = "heard" // params [n]: the frames that were heard, once there are n
	fakeDie   = "die"   // params [status]: says something on stderr and exits
	fakeHalf  = "half"  // begins an answer and exits
	fakeShut  = "shut"  // closes its output and lives on
	fakeBlind = "blind" // closes its input and lives on
	fakeSpawn = "spawn" // starts a process that survives what it can, answers its id
	fakePID   = "pid"   // its own process id
	fakeGuard = "guard" // that of its parent
)

// serveFake runs a fake server on stdin and stdout, or on the port it is given.
func serveFake(args []string) int {
	f, err := framing.Parse(args[0])
	if err != nil {
		panic(err)
	}
	s := &fake{in: framing.NewReader(os.Stdin, f, framing.Limits{}), out: os.Stdout, framing: f}
	for _, arg := range args[1:] {
		switch option, value, _ := strings.Cut(arg, "="); option {
		case "print":
			fmt.Print(value)
		case "deaf":
			select {} // reads nothing
		case "port":
			s.listen(value)
		case "die":
			return 1
		case "stubborn":
			signal.Ignore(syscall.SIGTERM)
		}
	}
	for {
		frame, err := s.in.Next()
		if err != nil {
			return 0
		}
		s.hear(frame)
	}
}

func (s *fake) listen(port string) {
	ln, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		panic(err)
	}
	conn, err := ln.Accept()
	if err != nil {
		panic(err)
	}
	s.in, s.out = framing.NewReader(conn, s.framing, framing.Limits{}), conn
}

func (s *fake) hear(frame []byte) {
	method, _ := host.Member(frame, "method")
	id, isRequest := host.Member(frame, "id")
	params, hasParams := host.Member(frame, "params")
	if command, debugs := host.Member(frame, "command"); debugs {
		s.debugs, method = true, command
		id, isRequest = host.Member(frame, "seq")
		params, hasParams = host.Member(frame, "arguments")
	}
	name := strings.Trim(string(method), `"`)
	if name == fakeHeard {
		s.asker, s.wanted = string(id), numbers(params)[0]
	} else {
		s.heard = append(s.heard, string(frame))
	}
	s.tell()
	switch {
	case name == fakeHeard:
		return
	case !isRequest:
		s.notice(name, params)
		return
	case name == "" || strings.HasPrefix(name, "mute"):
		return
	case !hasParams:
		params = json.RawMessage("null")
	}
	if result := s.act(name, params); result != nil {
		s.answer(string(id), name, string(result))
	}
}

func (s *fake) answer(id, method, result string) { s.say(s.reply(id, method, result)) }

// reply returns the text of an answer.
func (s *fake) reply(id, method, result string) string {
	if s.debugs {
		return `{"seq":1,"type":"response","request_seq":` + id + `,"success":true,"command":"` +
			method + `","body":` + result + `}`
	}
	return `{"jsonrpc":"2.0","id":` + id + `,"result":` + result + `}`
}

// tell answers who wants to know what was heard, once that is enough.
func (s *fake) tell() {
	if s.asker != "" && len(s.heard) >= s.wanted {
		frames, _ := json.Marshal(s.heard)
		s.answer(s.asker, fakeHeard, string(frames))
		s.asker = ""
	}
}

func (s *fake) notice(method string, params json.RawMessage) {
	switch method {
	case fakeRaw:
		for _, text := range texts(params) {
			io.WriteString(s.out, text)
		}
	case fakeSay:
		for _, text := range texts(params) {
			s.say(text)
		}
	case "exit":
		os.Exit(0)
	}
}

// act does what a request wants, and returns its result, nil if it gets none.
func (s *fake) act(method string, params json.RawMessage) []byte {
	switch method {
	case fakeDie:
		fmt.Fprintln(os.Stderr, "cannot open the database")
		os.Exit(numbers(params)[0])
	case fakeHalf:
		io.WriteString(s.out, "Content-Length: 100\r\n\r\n{")
		os.Exit(0)
	case fakeBlind:
		os.Stdin.Close()
		select {}
	case fakeShut:
		s.out.(io.Closer).Close()
	case fakeSpawn:
		return strconv.AppendInt(nil, int64(spawnStubborn()), 10)
	case fakePID:
		return strconv.AppendInt(nil, int64(os.Getpid()), 10)
	case fakeGuard:
		return strconv.AppendInt(nil, int64(os.Getppid()), 10)
	default:
		return params
	}
	return []byte("null")
}

func texts(params json.RawMessage) (all []string) {
	if err := json.Unmarshal(params, &all); err != nil {
		panic(err)
	}
	return all
}

func numbers(params json.RawMessage) (all []int) {
	if err := json.Unmarshal(params, &all); err != nil {
		panic(err)
	}
	return all
}

func (s *fake) say(message string) {
	s.out.Write(s.framing.Append(nil, []byte(message)))
}

// spawnStubborn starts a process in a session of its own, which no signal but SIGKILL ends.
func spawnStubborn() int {
	cmd := exec.Command(os.Args[0], roleStubborn)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err == nil {
		_, err = out.Read(make([]byte, 1)) // it has stopped listening to signals
	}
	if err != nil {
		panic(err)
	}
	return cmd.Process.Pid
}

func stubborn() int {
	signal.Ignore(syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT)
	fmt.Println("ready")
	select {}
}

// serveHost is a host process: it serves the mount in its arguments on stdin and stdout, and ends
// in order on SIGTERM.
func serveHost(args []string) int {
	stream, err := transport.TakeStdio()
	if err != nil {
		panic(err)
	}
	set := parse(args[0])
	set.Options.Framing = framing.ContentLength
	set.Options.StdinGrace = 50 * time.Millisecond
	set.Options.TermGrace = 50 * time.Millisecond
	h := &host.Host{
		Mounts: []host.MethodSet{set}, Limits: host.Limits{DrainTimeout: 300 * time.Millisecond},
	}
	s, err := h.Attach(stream, host.PeerInfo{Network: "stdio"})
	if err != nil {
		panic(err)
	}
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGTERM)
	select {
	case <-term:
		h.Shutdown(context.Background())
	case <-s.Done():
	}
	set.Close()
	return s.ExitStatus()
}
