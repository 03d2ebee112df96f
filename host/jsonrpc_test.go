package host

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
)

// difference says how two messages differ, but for their raw text; empty if they do not.
func difference(got, want *Message) string {
	show := func(raw json.RawMessage) string {
		if raw == nil {
			return "absent"
		}
		return string(raw)
	}
	var diff strings.Builder
	compare := func(what string, got, want any) {
		if got != want {
			fmt.Fprintf(&diff, "%s is %v, want %v; ", what, got, want)
		}
	}
	compare("kind", got.Kind, want.Kind)
	compare("id", show(got.ID), show(want.ID))
	compare("method", got.Method, want.Method)
	compare("params", show(got.Params), show(want.Params))
	compare("result", show(got.Result), show(want.Result))
	compare("error", show(got.Error), show(want.Error))
	compare("extra", show(got.Extra), show(want.Extra))
	return diff.String()
}

func TestDecode(t *testing.T) {
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	request := func(id, method, params string) Message {
		m := Message{Kind: KindRequest, ID: raw(id), Method: method}
		if params != "" {
			m.Params = raw(params)
		}
		return m
	}
	tests := []struct {
		name, frame string
		want        Message
	}{
		{"request", `{"jsonrpc":"2.0","id":1,"method":"echo","params":[1, 2]}`,
			request("1", "echo", "[1, 2]")},
		{"white space", "\r\n { \"jsonrpc\" :\t\"2.0\" ,\n\"id\" : 1 , \"method\": \"a\" } \n",
			request("1", "a", "")},
		{"reversed", `{"params":{"z":1,"a":2},"method":"a","id":"x","jsonrpc":"2.0"}`,
			request(`"x"`, "a", `{"z":1,"a":2}`)},
		{"null params", `{"jsonrpc":"2.0","id":1,"method":"a","params":null}`, request("1", "a", "")},
		{"empty method", `{"jsonrpc":"2.0","id":1,"method":""}`, request("1", "", "")},
		{"unknown members", `{"jsonrpc":"2.0","id":1,"x":{"id":[2]},"method":"a","m\u0065ta":"id"}`,
			Message{
				Kind: KindRequest, ID: raw("1"), Method: "a",
				Extra: raw(`,"x":{"id":[2]},"m\u0065ta":"id"`),
			}},
		{"other case", `{"jsonrpc":"2.0","id":1,"ID":2,"method":"a","Method":"b","PARAMS":[]}`,
			request("1", "a", "")},
		{"escaped name", `{"jsonrpc":"2.0","id":1,"\u006dethod":"a","p\u0061r\u0061ms":[1]}`,
			request("1", "a", "[1]")},
		{"escaped version", `{"jsonrpc":"2\u002e0","id":1,"method":"a"}`, request("1", "a", "")},
		{"escaped method", `{"jsonrpc":"2.0","id":1,"method":"\u0065\/\"\ud83d\ude00\u00e9"}`,
			request("1", `e/"😀é`, "")},
		{"method with a lone surrogate", `{"jsonrpc":"2.0","id":1,"method":"a\ud800b"}`,
			request("1", "a\uFFFDb", "")},
		{"last duplicate counts",
			`{"jsonrpc":"1.0","id":[],"method":1,"params":2,"params":[3],"method":"a","id":1,` +
				`"jsonrpc":"2.0"}`,
			request("1", "a", "[3]")},
		{"last duplicate counts, escaped", `{"jsonrpc":"2.0","id":1,"method":"a","\u006dethod":"b"}`,
			request("1", "b", "")},
		{"request with outcomes",
			`{"jsonrpc":"2.0","id":1,"method":"a","result":2,"error":{"code":1,"message":"m"}}`,
			request("1", "a", "")},
		{"notification", `{"jsonrpc":"2.0","method":"a","params":{}}`,
			Message{Kind: KindNotification, Method: "a", Params: raw("{}")}},
		{"result", `{"jsonrpc":"2.0","id":1,"result":{"a": 1}}`,
			Message{Kind: KindResponse, ID: raw("1"), Result: raw(`{"a": 1}`)}},
		{"null result", `{"jsonrpc":"2.0","id":1,"result":null}`,
			Message{Kind: KindResponse, ID: raw("1"), Result: raw("null")}},
		{"error", `{"jsonrpc":"2.0","id":"1","error":{"code":-1,"message":"m","data":[]}}`,
			Message{Kind: KindResponse, ID: raw(`"1"`),
				Error: raw(`{"code":-1,"message":"m","data":[]}`)}},
		{"error with null id", `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}`,
			Message{Kind: KindResponse, ID: raw("null"), Error: raw(`{"code":1,"message":"m"}`)}},
		{"error without id", `{"jsonrpc":"2.0","error":{"code":1,"message":"m"}}`,
			Message{Kind: KindResponse, Error: raw(`{"code":1,"message":"m"}`)}},
		{"error with a bad id", `{"jsonrpc":"2.0","id":[],"error":{"code":1,"message":"m"}}`,
			Message{Kind: KindResponse, Error: raw(`{"code":1,"message":"m"}`)}},
		{"result with null id", `{"jsonrpc":"2.0","id":null,"result":1}`,
			Message{Kind: KindResponse, ID: raw("null"), Result: raw("1")}},
		{"both outcomes", `{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":"m"}}`,
			Message{Kind: KindResponse, ID: raw("1"), Error: raw(`{"code":1,"message":"m"}`)}},
		{"result beside a null error", `{"jsonrpc":"2.0","id":1,"result":"v","error":null}`,
			Message{Kind: KindResponse, ID: raw("1"), Result: raw(`"v"`)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var m Message
			if err := (JSONRPC{}).Decode([]byte(tt.frame), &m); err != nil {
				t.Fatal(err)
			}
			if diff := difference(&m, &tt.want); diff != "" {
				t.Error(diff)
			}
			if string(m.Raw) != tt.frame {
				t.Errorf("raw text is %q, want the frame", m.Raw)
			}
		})
	}
}

func TestDecodeIDs(t *testing.T) {
	for _, id := range []string{
		"1", "0", "-1", "-0", "1.0", "1.50", "1e3", "18446744073709551616", "9007199254740993",
		`""`, `"1"`, `"null"`, `"a\u00e9\u0000"`, `"né→🎉"`, `"<a&b>"`,
	} {
		t.Run(id, func(t *testing.T) {
			var m Message
			frame := `{"jsonrpc":"2.0","id":` + id + ` ,"method":"a"}`
			if err := (JSONRPC{}).Decode([]byte(frame), &m); err != nil {
				t.Fatal(err)
			}
			if m.Kind != KindRequest || string(m.ID) != id {
				t.Errorf("kind %v with id %s, want a request with id %s", m.Kind, m.ID, id)
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	tests := []struct {
		name, frame string
		code        int64
		id          string // empty: none
		message     string // a part of the error's message
	}{
		{"empty", "", -32700, "", "at byte 0: expected a value"},
		{"cut", `{"jsonrpc":"2.0","id":1,"method":"a"`, -32700, "", "at byte 36: expected ',' or '}'"},
		{"two messages", `{"jsonrpc":"2.0","id":1,"method":"a"}{}`, -32700, "", "at byte 37"},
		{"bad UTF-8 in params", "{\"id\":1,\"params\":[\"\xff\"]}", -32700, "", "valid UTF-8"},
		{"header", "Content-Length: 40\r\n\r\n{}", -32700, "", "at byte 0: expected a value, found 'C'"},
		{"bad JSON that is no object", "[1", -32700, "", "at byte 2"},
		{"array", `[{"jsonrpc":"2.0","method":"a"}]`, -32600, "", "a message is an object"},
		{"string", `"hello"`, -32600, "", "a message is an object"},
		{"number", "42", -32600, "", "a message is an object"},
		{"null", "null", -32600, "", "a message is an object"},
		{"empty object", "{}", -32600, "", "no method"},
		{"no method", `{"jsonrpc":"2.0","id":3,"params":[]}`, -32600, "3", "no method"},
		{"nothing for a bad id", `{"jsonrpc":"2.0","id":{}}`, -32600, "", "no method"},
		{"result without id", `{"jsonrpc":"2.0","result":1}`, -32600, "", "no method"},
		{"no version", `{"id":1,"method":"a"}`, -32600, "1", "jsonrpc is not"},
		{"version 1.0", `{"jsonrpc":"1.0","id":1,"method":"a"}`, -32600, "1", "jsonrpc is not"},
		{"version as number", `{"jsonrpc":2.0,"id":1,"method":"a"}`, -32600, "1", "jsonrpc is not"},
		{"no version, no id", `{"method":"a"}`, -32600, "", "jsonrpc is not"},
		{"number as method", `{"jsonrpc":"2.0","id":"x","method":1}`, -32600, `"x"`, "method is not"},
		{"null method", `{"jsonrpc":"2.0","id":2,"method":null}`, -32600, "2", "method is not"},
		{"null id", `{"jsonrpc":"2.0","id":null,"method":"a"}`, -32600, "", "id is neither"},
		{"true as id", `{"jsonrpc":"2.0","id":true,"method":"a"}`, -32600, "", "id is neither"},
		{"array as id", `{"jsonrpc":"2.0","id":[1],"method":"a"}`, -32600, "", "id is neither"},
		{"object as id", `{"jsonrpc":"2.0","id":{},"method":"a"}`, -32600, "", "id is neither"},
		{"string params", `{"jsonrpc":"2.0","id":5,"method":"a","params":"x"}`, -32600, "5", "params"},
		{"number params", `{"jsonrpc":"2.0","id":5,"method":"a","params":5}`, -32600, "5", "params"},
		{"false params", `{"jsonrpc":"2.0","id":5,"method":"a","params":false}`, -32600, "5", "params"},
		{"scalar params, no id", `{"jsonrpc":"2.0","method":"a","params":3}`, -32600, "", "params"},
		{"too deep", `{"params":[[[[]]]]}`, -32700, "", "at byte 13: expected at most 4 levels"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := Message{Kind: KindRequest, ID: json.RawMessage("99"), Method: "stale"}
			err := JSONRPC{Depth: 4}.Decode([]byte(tt.frame), &m)
			if err == nil {
				t.Fatalf("decoded as %+v", m)
			}
			if err.Code != tt.code || !strings.Contains(err.Message, tt.message) {
				t.Errorf("error is %d %q, want %d with %q", err.Code, err.Message, tt.code, tt.message)
			}
			want := Message{}
			if tt.id != "" {
				want.ID = json.RawMessage(tt.id)
			}
			if diff := difference(&m, &want); diff != "" {
				t.Error(diff)
			}
			if string(m.Raw) != tt.frame {
				t.Errorf("raw text is %q, want the frame", m.Raw)
			}
		})
	}
}

// A caller waits for an answer, however broken: it gets an error that says what is wrong with it.
func TestDecodeBrokenAnswer(t *testing.T) {
	tests := []struct {
		name, members string
		message, data string
	}{
		{"null error alone", `"error":null`, "its error has no integer code", "null"},
		{"string", `"error":"boom"`, "its error has no integer code", `"boom"`},
		{"string beside a result", `"result":1,"error":"boom"`, "its error has no integer code",
			`"boom"`},
		{"no code", `"error":{"message":"m"}`, "its error has no integer code", `{"message":"m"}`},
		{"code as string", `"error":{"code":"1","message":"m"}`, "its error has no integer code",
			`{"code":"1","message":"m"}`},
		{"fractional code", `"error":{"code":1.5,"message":"m"}`, "its error has no integer code",
			`{"code":1.5,"message":"m"}`},
		{"code beyond 64 bits", `"error":{"code":9223372036854775808,"message":"m"}`,
			"its error has no integer code", `{"code":9223372036854775808,"message":"m"}`},
		{"no message", `"error":{"code":1}`, "its error has no message", `{"code":1}`},
		{"null message", `"error":{"code":1,"message":null}`, "its error has no message",
			`{"code":1,"message":null}`},
		{"no version", `"jsonrpc":1,"result":2`, "its jsonrpc is not 2.0",
			`{"jsonrpc":"2.0","id":1,"jsonrpc":1,"result":2}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var m Message
			frame := `{"jsonrpc":"2.0","id":1,` + tt.members + `}`
			if err := (JSONRPC{}).Decode([]byte(frame), &m); err != nil {
				t.Fatal(err)
			}
			if m.Kind != KindResponse || string(m.ID) != "1" || m.Result != nil {
				t.Errorf("decoded as %+v", m)
			}
			var e jsonrpc2.Error
			if err := json.Unmarshal(m.Error, &e); err != nil {
				t.Fatal(err)
			}
			if e.Code != -32603 || e.Message != "malformed answer: "+tt.message {
				t.Errorf("error is %d %q, want -32603 %q", e.Code, e.Message, tt.message)
			}
			if data, _ := Member(m.Error, "data"); string(data) != tt.data {
				t.Errorf("data is %s, want %s", data, tt.data)
			}
		})
	}
}

func TestAppend(t *testing.T) {
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	tests := []struct {
		name     string
		m        Message
		want     string
		withNull string // with OmitNullID; empty if it makes no difference
	}{
		{"request", Message{Kind: KindRequest, ID: raw("1.50"), Method: "a/b", Params: raw(`{ "z":1}`)},
			`{"jsonrpc":"2.0","id":1.50,"method":"a/b","params":{ "z":1}}`, ""},
		{"request without params", Message{Kind: KindRequest, ID: raw(`"\u0061"`), Method: "a"},
			`{"jsonrpc":"2.0","id":"\u0061","method":"a"}`, ""},
		{"notification", Message{Kind: KindNotification, Method: "a", Params: raw("[]")},
			`{"jsonrpc":"2.0","method":"a","params":[]}`, ""},
		{"method to be quoted", Message{Kind: KindNotification, Method: "\"\\\n é"},
			`{"jsonrpc":"2.0","method":"\"\\\n é"}`, ""},
		{"method in bad UTF-8", Message{Kind: KindNotification, Method: "a\xff"},
			`{"jsonrpc":"2.0","method":"a\ufffd"}`, ""},
		{"result", Message{Kind: KindResponse, ID: raw("-1"), Method: "a", Result: raw("[1, 2]")},
			`{"jsonrpc":"2.0","id":-1,"result":[1, 2]}`, ""},
		{"no result", Message{Kind: KindResponse, ID: raw("1")},
			`{"jsonrpc":"2.0","id":1,"result":null}`, ""},
		{"error", Message{Kind: KindResponse, ID: raw("1"), Error: raw(`{"code":1,"message":"m"}`)},
			`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}`, ""},
		{"error without id", Message{Kind: KindResponse, Error: raw(`{"code":1,"message":"m"}`)},
			`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}`,
			`{"jsonrpc":"2.0","error":{"code":1,"message":"m"}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(JSONRPC{}.Append([]byte("before"), &tt.m)); got != "before"+tt.want {
				t.Errorf("got  %s\nwant before%s", got, tt.want)
			}
			if tt.withNull == "" {
				tt.withNull = tt.want
			}
			if got := string(JSONRPC{OmitNullID: true}.Append(nil, &tt.m)); got != tt.withNull {
				t.Errorf("with OmitNullID: got %s\nwant %s", got, tt.withNull)
			}
		})
	}
}

func TestSplitBatch(t *testing.T) {
	tests := []struct {
		name, frame string
		want        []string
		code        int64
	}{
		{"one", `[{"a":1}]`, []string{`{"a":1}`}, 0},
		{"spaces", " [ 1 ,\t{ } , \"x\" ] \n", []string{"1", "{ }", `"x"`}, 0},
		{"batch in a batch", `[[1,2],[]]`, []string{"[1,2]", "[]"}, 0},
		{"at the depth limit", `[[[]]]`, []string{"[[]]"}, 0},
		{"empty", "[]", nil, -32600},
		{"empty with spaces", "[ ]", nil, -32600},
		{"no array", "{}", nil, -32600},
		{"cut", `[{"a":1}`, nil, -32700},
		{"damaged element", `[{"a":1},{]`, nil, -32700},
		{"no comma", "[1 2]", nil, -32700},
		{"comma last", "[1,]", nil, -32700},
		{"text behind", "[1] 2", nil, -32700},
		{"empty with text behind", "[]]", nil, -32700},
		{"too deep", `[[[[]]]]`, nil, -32700},
		{"as many as allowed", "[1,2,3,4]", []string{"1", "2", "3", "4"}, 0},
		{"one too many", "[1,2,3,4,5]", []string{"1", "2", "3", "4"}, -32600},
		{"too many and damaged", "[1,2,3,4,5", nil, -32700},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := SplitBatch([]byte(tt.frame), 3, 4)
			if err == nil != (tt.code == 0) || err != nil && err.Code != tt.code {
				t.Errorf("got %v, want code %d", err, tt.code)
			}
			if fmt.Sprintf("%s", got) != fmt.Sprintf("%s", tt.want) {
				t.Errorf("elements are %s, want %s", got, tt.want)
			}
		})
	}
}

func TestEnvelopeAllocations(t *testing.T) {
	tests := []struct {
		name, frame string
		want        float64
	}{
		{"request",
			`{"jsonrpc":"2.0","id":1,"method":"a/b","params":{"a":[{"b":"c\n"}],"d":1.5}}`, 0},
		{"notification", `{"jsonrpc":"2.0","method":"$/progress","params":{"token":"é"}}`, 0},
		{"result", `{"jsonrpc":"2.0","id":"x","result":[null,true]}`, 0},
		{"error", `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no method"}}`, 0},
		{"unknown name", `{"jsonrpc":"2.0","method":"a","meta":{"trace":[]}}`, 1}, // to keep it
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var m Message
			in, out := []byte(tt.frame), make([]byte, 0, 1024)
			allocs := testing.AllocsPerRun(100, func() {
				if err := (JSONRPC{}).Decode(in, &m); err != nil {
					t.Fatal(err)
				}
				out = JSONRPC{}.Append(out[:0], &m)
			})
			if allocs != tt.want {
				t.Errorf("%v allocations for a message both ways, want %v", allocs, tt.want)
			}
		})
	}
}
