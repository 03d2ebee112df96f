package dap

import (
	"strings"
	"testing"
)

func TestRoundTrip(t *testing.T) {
	deep := `{"id":1,"name":"f","line":1,"column":1,"new":[{"a":null}],` +
		`"source":{"path":"/p","adapterData":{"x":[1.50]},"sources":[{"name":"s","new":false}]}}`
	for _, test := range []struct {
		name string
		v    any
		text string
	}{
		{"three states: absent", new(DisconnectArguments), `{}`},
		{"three states: false", new(DisconnectArguments), `{"terminateDebuggee":false}`},
		{"three states: true", new(DisconnectArguments), `{"terminateDebuggee":true}`},
		{"zero is not absent", new(StackTraceArguments), `{"threadId":0,"startFrame":0,"levels":0}`},
		{"empty is not absent", new(Source), `{"name":"","sources":[]}`},
		{"unknown members at any depth", new(StackFrame), deep},
		{"members in another case are unknown", new(Thread), `{"id":1,"name":"","ID":2}`},
		{"null where it means something", new(DataBreakpointInfoResponseBody),
			`{"dataId":null,"description":"no"}`},
		{"unset variables", new(RunInTerminalRequestArguments),
			`{"cwd":"/","args":[],"env":{"A":null,"B":""}}`},
		{"2^53-1", new(ReadMemoryArguments),
			`{"memoryReference":"m","count":9007199254740991,"offset":-9007199254740991}`},
		{"module by number", new(Module), `{"id":-7,"name":"m"}`},
		{"module by string", new(Module), `{"id":"7","name":"m"}`},
		{"restart data", new(TerminatedEventBody), `{"restart":{"port":1}}`},
		{"restart true", new(TerminatedEventBody), `{"restart":true}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := unmarshal([]byte(test.text), test.v); err != nil {
				t.Fatal(err)
			}
			out, err := marshal(test.v)
			if err != nil {
				t.Fatal(err)
			}
			if !equalJSON(t, out, []byte(test.text)) {
				t.Errorf("\n got %s\nwant %s", out, test.text)
			}
		})
	}
}

func TestMarshal(t *testing.T) {
	for _, test := range []struct {
		name, want string
		v          any
	}{
		{"nothing", "null", Empty{}},
		{"required lists", `{"breakpoints":[]}`, &SetBreakpointsResponseBody{}},
		{"required objects", `{"configuration":{},"request":"launch"}`,
			&StartDebuggingRequestArguments{Request: StartRequestLaunch}},
		{"what is no UTF-8", `{"id":1,"name":"<a\ufffd>"}`, &Thread{ID: 1, Name: "<a\xff>"}},
		{"module number", `3`, ModuleNumber(3)},
		{"module name", `"\"\ufffd"`, ModuleName("\"\xff")},
		{"no module", `""`, ModuleID("")},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, err := marshal(test.v)
			if err != nil {
				t.Fatal(err)
			}
			if !equalJSON(t, out, []byte(test.want)) {
				t.Errorf("got %s, want %s", out, test.want)
			}
		})
	}
}

func TestUnmarshal(t *testing.T) {
	t.Run("absent arguments are empty", func(t *testing.T) {
		for _, text := range []string{"", "null", "{}"} {
			var args *DisconnectArguments
			if err := unmarshal([]byte(text), &args); err != nil || args == nil {
				t.Errorf("%q: got %v, %v", text, args, err)
			}
		}
	})
	t.Run("nothing is read from a body that is not defined", func(t *testing.T) {
		if err := unmarshal([]byte(`{"a":1}`), new(Empty)); err != nil {
			t.Error(err)
		}
	})
	t.Run("a module id is a number or a string", func(t *testing.T) {
		if err := unmarshal([]byte(`{"id":null,"name":"m"}`), new(Module)); err == nil {
			t.Error("null was accepted")
		}
	})
	t.Run("the error names the member", func(t *testing.T) {
		err := unmarshal([]byte(`{"source":{},"breakpoints":[{"line":"7"}]}`),
			new(SetBreakpointsArguments))
		if err == nil || !strings.Contains(err.Error(), "/breakpoints/0/line") {
			t.Errorf("got %v", err)
		}
	})
}

func TestOr(t *testing.T) {
	if !Or(nil, true) || Or(new(false), true) || Or(new(""), "x") != "" {
		t.Error("Or must return what p holds, and else what its absence stands for")
	}
}
