package dap

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/host"
)

func TestDecode(t *testing.T) {
	for _, test := range []struct {
		name, frame string
		kind        host.Kind
		id, method  string
		params      string
	}{
		{
			"request", `{"seq":3,"type":"request","command":"next","arguments":{"threadId":1}}`,
			host.KindRequest, "3", "next", `{"threadId":1}`,
		},
		{
			"request without arguments", `{"seq":3,"type":"request","command":"threads"}`,
			host.KindRequest, "3", "threads", "",
		},
		{
			"any order, white space",
			" {\n\"arguments\" : {\"a\" : 1} , \"command\":\"x\",\t\"type\":\"request\",\"seq\": 7 } ",
			host.KindRequest, "7", "x", `{"a" : 1}`,
		},
		{
			"seq 0, as Helix and vimspector begin", `{"seq":0,"type":"request","command":"x"}`,
			host.KindRequest, "0", "x", "",
		},
		{
			"seq 1.0", `{"seq":1.0,"type":"request","command":"x"}`,
			host.KindRequest, "1", "x", "",
		},
		{
			"seq 1e2", `{"seq":1e2,"type":"request","command":"x"}`,
			host.KindRequest, "100", "x", "",
		},
		{
			`seq "1", as dape does for netcoredbg`, `{"seq":"1","type":"request","command":"x"}`,
			host.KindRequest, "1", "x", "",
		},
		{
			"negative seq", `{"seq":-5,"type":"request","command":"x"}`,
			host.KindRequest, "-5", "x", "",
		},
		{
			"escaped names", `{"\u0073eq":1,"t\u0079pe":"re\u0071uest","command":"x\u002fy"}`,
			host.KindRequest, "1", "x/y", "",
		},
		{
			"the last of repeated members",
			`{"seq":1,"seq":2,"type":"event","type":"request","command":"x"}`,
			host.KindRequest, "2", "x", "",
		},
		{
			"arguments null", `{"seq":1,"type":"request","command":"x","arguments":null}`,
			host.KindRequest, "1", "x", "",
		},
		{
			"arguments [], an empty table", `{"seq":1,"type":"request","command":"x","arguments":[ ]}`,
			host.KindRequest, "1", "x", "{}",
		},
		{
			"arguments that are a list", `{"seq":1,"type":"request","command":"x","arguments":[1]}`,
			host.KindRequest, "1", "x", "[1]",
		},
		{
			"a request that looks like the rest",
			`{"seq":1,"type":"request","command":"x","event":"y","request_seq":2,"success":true}`,
			host.KindRequest, "1", "x", "",
		},
		{
			"event", `{"seq":1,"type":"event","event":"stopped","body":{"reason":"step"}}`,
			host.KindNotification, "", "stopped", `{"reason":"step"}`,
		},
		{
			"event without seq and body", `{"type":"event","event":"initialized"}`,
			host.KindNotification, "", "initialized", "",
		},
		{
			"event with a command", `{"seq":1,"type":"event","event":"e","command":"c","body":[]}`,
			host.KindNotification, "", "e", "{}",
		},
		{
			"answer nobody waits for",
			`{"seq":1,"type":"response","request_seq":9,"success":true,"command":"x"}`,
			host.KindResponse, "null", "x", "",
		},
		{
			// Two ends of different protocols used to complain about each other's complaints
			// without end.
			"answer in JSON-RPC", `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"?"}}`,
			host.KindResponse, "null", "", "",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			var m host.Message
			if err := newEnvelope(host.Limits{}).Decode([]byte(test.frame), &m); err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprintf("%d %s %s %s", m.Kind, m.ID, m.Method, m.Params)
			want := fmt.Sprintf("%d %s %s %s", test.kind, test.id, test.method, test.params)
			if got != want || string(m.Raw) != test.frame {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, test := range []struct {
		name, frame string
		code        int64
		id, text    string
	}{
		{"nothing", "", jsonrpc2.CodeParseError, "", "not JSON"},
		{"no JSON", "{oops}", jsonrpc2.CodeParseError, "", "offset 1"},
		{"cut", `{"seq":1,"type":"requ`, jsonrpc2.CodeParseError, "", "not JSON"},
		{"more than one value", `{} {}`, jsonrpc2.CodeParseError, "", "follows the object"},
		{"invalid UTF-8", "{\"seq\":\"\xff\"}", jsonrpc2.CodeParseError, "", "UTF-8"},
		{"list", `[{"seq":1}]`, jsonrpc2.CodeInvalidRequest, "", "object"},
		{"number", `1`, jsonrpc2.CodeInvalidRequest, "", "object"},
		{"no type", `{"seq":1}`, jsonrpc2.CodeInvalidRequest, "", `"request", "response" or "event"`},
		{"type in another case", `{"seq":1,"type":"Request","command":"x"}`,
			jsonrpc2.CodeInvalidRequest, "", `"request"`},
		{"no seq", `{"type":"request","command":"x"}`, jsonrpc2.CodeInvalidRequest, "", "seq"},
		{"seq with a fraction", `{"seq":1.5,"type":"request","command":"x"}`,
			jsonrpc2.CodeInvalidRequest, "", "seq"},
		{"seq that is infinite", `{"seq":"inf","type":"request","command":"x"}`,
			jsonrpc2.CodeInvalidRequest, "", "seq"},
		{"seq null", `{"seq":null,"type":"request","command":"x"}`,
			jsonrpc2.CodeInvalidRequest, "", "seq"},
		{"no command", `{"seq":4,"type":"request"}`, jsonrpc2.CodeInvalidRequest, "4", "command"},
		{"no event", `{"seq":4,"type":"event"}`, jsonrpc2.CodeInvalidRequest, "", "event"},
		// A DAP port ignored JSON-RPC, and a client waited for ever (eclipse-lsp4j/lsp4j#793).
		{"JSON-RPC", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`,
			jsonrpc2.CodeInvalidRequest, "", "this is a JSON-RPC message"},
		{"too deep", `{"a":` + strings.Repeat("[", 60) + strings.Repeat("]", 60) + `}`,
			jsonrpc2.CodeParseError, "", "50 levels"},
		{"far too deep", `{"a":` + strings.Repeat("[", 100_000),
			jsonrpc2.CodeParseError, "", "50 levels"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var m host.Message
			err := newEnvelope(host.Limits{Depth: 50}).Decode([]byte(test.frame), &m)
			if err == nil {
				t.Fatalf("accepted: %+v", m)
			}
			if err.Code != test.code || !strings.Contains(err.Message, test.text) {
				t.Errorf("got %v, want %d and %q", err, test.code, test.text)
			}
			if string(m.ID) != test.id {
				t.Errorf("id %s, want %s", m.ID, test.id)
			}
		})
	}
}

func TestAppend(t *testing.T) {
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	for _, test := range []struct {
		name string
		m    host.Message
		want string
	}{
		{
			"request",
			host.Message{Kind: host.KindRequest, ID: raw("12"), Method: "x", Params: raw(`{"a":1}`)},
			`{"seq":1,"type":"request","command":"x","arguments":{"a":1}}`,
		},
		{
			"request without arguments",
			host.Message{Kind: host.KindRequest, ID: raw("12"), Method: "x"},
			`{"seq":1,"type":"request","command":"x"}`,
		},
		{
			"event",
			host.Message{Kind: host.KindNotification, Method: `"<é`, Params: raw(`{}`)},
			`{"seq":1,"type":"event","event":"\"<é","body":{}}`,
		},
		{
			"response",
			host.Message{Kind: host.KindResponse, ID: raw("7"), Method: "x", Result: raw(`{"b":2}`)},
			`{"seq":1,"type":"response","request_seq":7,"success":true,"command":"x","body":{"b":2}}`,
		},
		{
			"response without body",
			host.Message{Kind: host.KindResponse, ID: raw("7"), Method: "x", Result: raw(`null`)},
			`{"seq":1,"type":"response","request_seq":7,"success":true,"command":"x"}`,
		},
		{
			"unknown members of a relayed message",
			host.Message{
				Kind: host.KindNotification, Method: "e",
				Extra: raw(`,"z":[1, 2],"a":{}`),
			},
			`{"seq":1,"type":"event","event":"e","z":[1, 2],"a":{}}`,
		},
		{
			"complaint",
			host.Message{Kind: host.KindResponse, Error: raw(`{"code":-32700,"message":"no JSON"}`)},
			`{"seq":1,"type":"event","event":"output",` +
				`"body":{"category":"important","output":"no JSON\n"}}`,
		},
		{
			"complaint with id null",
			host.Message{
				Kind: host.KindResponse, ID: raw("null"), Error: raw(`{"code":-32600,"message":"no"}`),
			},
			`{"seq":1,"type":"event","event":"output","body":{"category":"important","output":"no\n"}}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := string(newEnvelope(host.Limits{}).Append([]byte("before "), &test.m))
			if got != "before "+test.want {
				t.Errorf("\n got %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestAppendError(t *testing.T) {
	for _, test := range []struct{ name, object, want string }{
		{
			"cancelled", `{"code":-32800,"message":"request cancelled"}`,
			`"message":"cancelled","body":{}`,
		},
		{
			"not stopped", `{"code":-32002,"message":"the debuggee is running"}`,
			`"message":"notStopped","body":{"error":{"id":-32002,` +
				`"format":"the debuggee is running","showUser":false}}`,
		},
		{
			"unknown command", `{"code":-32601,"message":"method \"x\" is not known here"}`,
			`"message":"unsupported command x","body":{"error":{"id":-32601,` +
				`"format":"unsupported command x","showUser":false}}`,
		},
		{
			"any other", `{"code":-32603,"message":"disk \"full\""}`,
			`"message":"disk \"full\"","body":{"error":{"id":-32603,` +
				`"format":"disk \"full\"","showUser":false}}`,
		},
		{
			"a body", `{"code":7,"message":"no","data":{"error":{"id":7,"format":"no {x}"}, "y":null}}`,
			`"message":"no","body":{"error":{"id":7,"format":"no {x}"}, "y":null}`,
		},
		{
			"no body", `{"code":-32001,"message":"no","data":null}`,
			`"message":"no"`,
		},
		{
			"data that is no body", `{"code":7,"message":"no","data":[1]}`,
			`"message":"no","body":{"error":{"id":7,"format":"no","showUser":false},"data":[1]}`,
		},
		{
			"no error object", `"oops"`,
			`"message":"internal error","body":{"error":{"id":-32603,` +
				`"format":"internal error","showUser":false}}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := host.Message{
				Kind: host.KindResponse, ID: json.RawMessage("3"), Method: "x",
				Error: json.RawMessage(test.object),
			}
			got := string(newEnvelope(host.Limits{}).Append(nil, &m))
			want := `{"seq":1,"type":"response","request_seq":3,"success":false,"command":"x",` +
				test.want + `}`
			if got != want {
				t.Errorf("\n got %s\nwant %s", got, want)
			}
		})
	}
}

func TestDecodeError(t *testing.T) {
	for _, test := range []struct{ name, response, want string }{
		{
			"with all", `"message":"m","body":{"error":{"id":12,"format":"f"}}`,
			`{"code":12,"message":"m","data":{"error":{"id":12,"format":"f"}}}`,
		},
		{
			"cancelled", `"message":"cancelled","body":{"error":{"id":12,"format":"f"}}`,
			`{"code":-32800,"message":"cancelled","data":{"error":{"id":12,"format":"f"}}}`,
		},
		{
			"not stopped", `"message":"notStopped"`,
			`{"code":-32002,"message":"notStopped","data":null}`,
		},
		{
			"no message", `"body":{"error":{"id":3,"format":"{a} of {b}","variables":{"a":"x"}}}`,
			`{"code":3,"message":"x of {b}","data":{"error":{"id":3,"format":"{a} of {b}",` +
				`"variables":{"a":"x"}}},"implied":true}`,
		},
		{
			"nothing", `"body":{"error":{"id":"three"}}`,
			`{"code":-32001,"message":"the request failed; its peer did not say why",` +
				`"data":{"error":{"id":"three"}},"implied":true}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			var m host.Message
			frame := `{"seq":1,"type":"response","request_seq":1,"success":false,"command":"x",` +
				test.response + `}`
			if err := newEnvelope(host.Limits{}).Decode([]byte(frame), &m); err != nil {
				t.Fatal(err)
			}
			if string(m.Error) != test.want {
				t.Errorf("\n got %s\nwant %s", m.Error, test.want)
			}
		})
	}
}

// TestCalls answers calls out of order: the ids of our calls are not the numbers on the wire.
func TestCalls(t *testing.T) {
	e := newEnvelope(host.Limits{})
	e.Append(nil, &host.Message{Kind: host.KindNotification, Method: "e"})
	for _, id := range []string{"1", "2", "3"} {
		e.Append(nil, &host.Message{
			Kind: host.KindRequest, ID: json.RawMessage(id), Method: "runInTerminal",
		})
	}
	for _, test := range []struct{ requestSeq, id, result string }{
		{"4", "3", `{"a":1}`},
		{`"2"`, "1", "null"},
		{"2", "null", "null"}, // has been answered
		{"1", "null", "null"}, // was an event
		{"3.0", "2", "null"},
		{"99", "null", "null"},
		{"{}", "null", "null"},
	} {
		body := `,"body":` + test.result
		if test.result == "null" {
			body = ""
		}
		var m host.Message
		frame := `{"seq":1,"type":"response","request_seq":` + test.requestSeq +
			`,"success":true,"command":"runInTerminal"` + body + `}`
		if err := e.Decode([]byte(frame), &m); err != nil {
			t.Fatal(err)
		}
		if string(m.ID) != test.id || string(m.Result) != test.result {
			t.Errorf("%s: id %s, result %s", frame, m.ID, m.Result)
		}
	}
}

// TestCancelCall has the dialect cancel a call, and the envelope name it by its seq.
func TestCancelCall(t *testing.T) {
	e := newEnvelope(host.Limits{})
	e.Append(nil, &host.Message{Kind: host.KindNotification, Method: "e"})
	call := host.Message{Kind: host.KindRequest, ID: json.RawMessage("1"), Method: "evaluate"}
	e.Append(nil, &call)
	got := string(e.Append(nil, Dialect.CancelCall(call.ID, call.Method)))
	want := `{"seq":3,"type":"request","command":"cancel","arguments":{"requestId":2}}`
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if m := Dialect.CancelCall(call.ID, "runInTerminal"); m != nil {
		t.Errorf("a client is asked to cancel: %+v", m)
	}
}

// TestEnvelopeConcurrency reads answers while requests are sent, which the session does.
func TestEnvelopeConcurrency(t *testing.T) {
	e := newEnvelope(host.Limits{})
	const calls = 1000
	var reader sync.WaitGroup
	reader.Go(func() {
		for n := range calls {
			var m host.Message
			e.Decode(fmt.Appendf(nil, `{"type":"response","request_seq":%d,"success":true}`, n+1), &m)
		}
	})
	for n := range calls {
		m := host.Message{Kind: host.KindRequest, ID: json.RawMessage(itoa(n + 1)), Method: "x"}
		want := fmt.Sprintf(`{"seq":%d,"type":"request","command":"x"}`, n+1)
		if got := string(e.Append(nil, &m)); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	}
	reader.Wait()
}

func FuzzEnvelope(f *testing.F) {
	for _, seed := range []string{
		`{"seq":1,"type":"request","command":"next","arguments":{"threadId":1}}`,
		`{"seq":"1","type":"event","event":"output","body":[],"x":{"y":[1,2.5e3,null,"\ud83c\udf6e"]}}`,
		`{"type":"response","request_seq":1,"success":true,"body":{}}`,
		`{"type":"response","request_seq":1.0,"success":false,"message":"cancelled"}`,
		`{"type":"response","request_seq":1,"success":0,"body":{"error":{"id":1e400,"format":"{a"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"x"}`,
		`[{"seq":1}]`, "{\"\xff\":1}", `{"type":"request","seq":9223372036854775808,"command":"x"}`, "",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		e := newEnvelope(host.Limits{Depth: 100})
		e.Append(nil, &host.Message{Kind: host.KindRequest, ID: json.RawMessage("1"), Method: "x"})
		original := string(frame)
		var m host.Message
		if err := e.Decode(frame, &m); err != nil {
			raw, _ := json.Marshal(err)
			m = host.Message{Kind: host.KindResponse, ID: m.ID, Method: m.Method, Error: raw}
		} else if !json.Valid(frame) {
			t.Fatalf("accepted %q", frame)
		}
		if string(frame) != original {
			t.Fatal("the frame was changed")
		}
		out := newEnvelope(host.Limits{Depth: 100}).Append(nil, &m)
		var again host.Message
		if err := newEnvelope(host.Limits{Depth: 101}).Decode(out, &again); err != nil {
			t.Fatalf("%q became %q: %v", frame, out, err)
		}
		if complaint := m.Kind == host.KindResponse && again.Kind == host.KindNotification; !complaint &&
			(m.Kind != again.Kind || m.Method != again.Method || string(m.Params) != string(again.Params)) {
			t.Fatalf("%q became %q", frame, out)
		}
	})
}

func BenchmarkEnvelope(b *testing.B) {
	frame := []byte(`{"seq":3,"type":"request","command":"stackTrace",` +
		`"arguments":{"threadId":1,"startFrame":0,"levels":20}}`)
	b.ReportAllocs()
	e := newEnvelope(host.Limits{})
	var out []byte
	for b.Loop() {
		var m host.Message
		if err := e.Decode(frame, &m); err != nil {
			b.Fatal(err)
		}
		out = e.Append(out[:0], &host.Message{
			Kind: host.KindResponse, ID: m.ID, Method: m.Method, Result: m.Params,
		})
	}
}
