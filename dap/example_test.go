package dap_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"

	"triplex/dap"
	"triplex/framing"
	"triplex/host"
)

// launchArguments is the adapter's own launch configuration.
type launchArguments struct {
	dap.LaunchRequestArguments
	Program     string `json:"program"`
	StopOnEntry *bool  `json:"stopOnEntry,omitzero"`
}

// A launch configuration of the adapter's own embeds the protocol's part, and describes the
// request anew. The handler prepares the debuggee while the client sets breakpoints, and starts it
// when the client is done with that.
func Example() {
	launch := dap.Request[*launchArguments, dap.Empty]{Method: dap.Launch.Method}
	server := &dap.Server{Title: "example"}
	launch.Handle(server, func(
		ctx context.Context, s *dap.Session, p *launchArguments,
	) (dap.Empty, error) {
		if p.Program == "" {
			return dap.Empty{}, dap.Errorf(1, "program is missing")
		}
		if err := s.AwaitConfiguration(ctx); err != nil {
			return dap.Empty{}, err
		}
		return dap.Empty{}, s.Output(ctx, dap.OutputStdout, "hello from "+p.Program+"\n")
	})

	answers := talk(server,
		`{"seq":1,"type":"request","command":"initialize","arguments":{"adapterID":"example"}}`,
		`{"seq":2,"type":"request","command":"configurationDone"}`,
		`{"seq":3,"type":"request","command":"launch","arguments":{"program":"/p.star"}}`,
	)
	for answer := range answers {
		fmt.Println(answer)
	}
	// Output:
	// response initialize
	// event initialized
	// response configurationDone
	// event output
	// response launch
}

// An error has an id that stays the same, and a text whose variables the client can tell from it.
func ExampleError() {
	err := &dap.Error{
		ID: 1004, Format: "cannot open {path}", Variables: map[string]string{"path": "/p.star"},
		ShowUser: new(true),
	}
	fmt.Println(err)
	// Output: cannot open /p.star
}

// talk sends messages to a session on set and returns what it answers, up to the answer to the
// last of them.
func talk(set host.MethodSet, messages ...string) <-chan string {
	near, far := net.Pipe()
	h := &host.Host{Mounts: []host.MethodSet{set}}
	if _, err := h.Attach(far, host.PeerInfo{Network: "pipe"}); err != nil {
		panic(err)
	}
	answers := make(chan string, 10)
	go func() {
		defer close(answers)
		defer near.Close()
		in := framing.NewReader(near, framing.ContentLength, framing.Limits{})
		for last := false; !last; {
			frame, err := in.Next()
			if err != nil {
				return
			}
			var m struct {
				Type, Command, Event string
				RequestSeq           int `json:"request_seq"`
			}
			json.Unmarshal(frame, &m)
			answers <- m.Type + " " + m.Command + m.Event
			last = m.RequestSeq == len(messages)
		}
	}()
	for _, m := range messages {
		if _, err := near.Write(framing.ContentLength.Append(nil, []byte(m))); err != nil {
			panic(err)
		}
	}
	return answers
}
