package dap

import (
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
}

// An integer with a point used to be refused.
func TestIntegers(t *testing.T) {
	for text, want := range map[string]int{
		"7": 7, "7.0": 7, "70e-1": 7, "-7": -7, "9007199254740991": 1<<53 - 1,
		"9223372036854775807": 1<<63 - 1,
	} {
		var args PauseArguments
		if err := unmarshal([]byte(`{"threadId":`+text+`}`), &args); err != nil ||
			args.ThreadID != want {
			t.Errorf("%s is read as %d, %v", text, args.ThreadID, err)
		}
	}
}

// Errors used to speak of Go and its types to the authors of launch configurations.
func TestReadableErrors(t *testing.T) {
	type configuration struct {
		LaunchRequestArguments
		Program string   `json:"program"`
		Args    []string `json:"args"`
		Steps   uint64   `json:"steps"`
		Line    *int     `json:"line"`
		Source  *Source  `json:"source"`
	}
	for _, test := range []struct{ text, want string }{
		{`"x"`, "the value is a string, want an object"},
		{`[]`, "the value is a list, want an object"},
		{`{"program":1}`, "/program is a number, want a string"},
		{`{"program":{}}`, "/program is an object, want a string"},
		{`{"args":"x"}`, "/args is a string, want a list"},
		{`{"args":["x",false]}`, "/args/1 is false, want a string"},
		{`{"steps":-1}`, "/steps is -1, want an integer of 0 or more"},
		{`{"steps":"1"}`, "/steps is a string, want an integer of 0 or more"},
		{`{"line":1.5}`, "/line is 1.5, want an integer"},
		{`{"line":1e99}`, "/line is 1e99, want an integer"},
		{`{"line":"1"}`, "/line is a string, want an integer"},
		{`{"noDebug":"yes"}`, "/noDebug is a string, want true or false"},
		{`{"source":{"path":["x"]}}`, "/source/path is a list, want a string"},
	} {
		err := unmarshal([]byte(test.text), new(configuration))
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.text, err, test.want)
		}
	}
}

func TestOr(t *testing.T) {
	if !Or(nil, true) || Or(new(false), true) || Or(new(""), "x") != "" {
		t.Error("Or must return what p holds, and else what its absence stands for")
	}
}
