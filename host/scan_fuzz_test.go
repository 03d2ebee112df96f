package host

import (
	"encoding/json"
	"testing"
)

func FuzzScan(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"echo","params":[1,{"a":[]},"é\n"]}`,
		`{"\u006dethod":"a","method":"b","id":"\ud83d\ude00","ID":3,"id":4}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}`,
		`[{"jsonrpc":"2.0","method":"a"},1,[]]`,
		`[-0.5e+10,12e3,0,true,false,null,"\\\"\/"]`,
		"{\"a\":\"\xff\"}", `{"a":1,}`, `[01]`, "\ufeff{}", `"\u12x4"`, "[[[[]]]]", " {} ",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		want := wellFormed(text)
		if err := validJSON(text, 0); (err == nil) != want {
			t.Fatalf("validJSON: %v, want valid: %t", err, want)
		}
		var e envelope
		if fault := e.scan(text, 0); fault == nil {
			checkMembers(t, text, &e)
		} else if want != (fault.Code == -32600) {
			t.Fatalf("code %d for text that is valid: %t", fault.Code, want)
		}
		checkElements(t, text)
		checkRoundTrip(t, text)
	})
}

// checkMembers checks the members found in an object against those that encoding/json finds.
func checkMembers(t *testing.T, text []byte, e *envelope) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		t.Fatalf("accepted as an object: %v", err)
	}
	for name, got := range map[string]json.RawMessage{
		"jsonrpc": e.version, "id": e.id, "method": e.method,
		"params": e.params, "result": e.result, "error": e.err,
	} {
		want, ok := members[name]
		if string(got) != string(want) || (got != nil) != ok {
			t.Errorf("member %s is %q, want %q", name, got, want)
		}
		if found, _ := Member(text, name); string(found) != string(want) {
			t.Errorf("Member finds %q for %s, want %q", found, name, want)
		}
	}
}

// checkElements checks the elements of a batch against those that encoding/json finds.
func checkElements(t *testing.T, text []byte) {
	got, fault := SplitBatch(text, 0, len(text))
	if fault != nil {
		return
	}
	var want []json.RawMessage
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatalf("accepted as an array: %v", err)
	}
	if len(got) != len(want) {
		t.Fatalf("%d elements, want %d", len(got), len(want))
	}
	for i := range got {
		if string(got[i]) != string(want[i]) {
			t.Errorf("element %d is %q, want %q", i, got[i], want[i])
		}
	}
}

// checkRoundTrip checks that a message decodes to what it was before it was encoded.
func checkRoundTrip(t *testing.T, text []byte) {
	var m, again Message
	if fault := (JSONRPC{}).Decode(text, &m); fault != nil {
		if m.Kind != KindInvalid || string(m.Raw) != string(text) {
			t.Fatalf("refused, yet decoded as %+v", m)
		}
		return
	}
	encoded := JSONRPC{}.Append(nil, &m)
	if fault := (JSONRPC{}).Decode(encoded, &again); fault != nil {
		t.Fatalf("%q is refused once encoded as %q: %v", text, encoded, fault)
	}
	if m.Kind == KindResponse && m.ID == nil {
		m.ID = json.RawMessage("null")
	}
	if diff := difference(&m, &again); diff != "" {
		t.Errorf("%q changed into %q: %s", text, encoded, diff)
	}
}
