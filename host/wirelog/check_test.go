package wirelog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"
)

// parseLog makes a log: lines "> message" came in and "< message" went out, 1 ms apart.
func parseLog(t *testing.T, protocol, text string) io.Reader {
	t.Helper()
	var log []byte
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		r := Record{Time: testTime.Add(time.Duration(i) * time.Millisecond), Session: "s1",
			Protocol: protocol}
		mark, msg, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch mark {
		case ">":
			r.Dir, r.Msg = In, json.RawMessage(msg)
		case "<":
			r.Dir, r.Msg = Out, json.RawMessage(msg)
		case "dropped":
			r.Dropped = 1
		case "continues":
			r.Continues = true
		default:
			t.Fatalf("line %q", line)
		}
		log = r.AppendLine(log)
	}
	return bytes.NewReader(log)
}

// classifyCancel is JSONRPC with a notification that cancels.
func classifyCancel(msg json.RawMessage) Message {
	m := JSONRPC(msg)
	if m.Method == "cancel" {
		var n struct{ Params struct{ ID json.RawMessage } }
		if json.Unmarshal(msg, &n) == nil {
			m.Cancels = string(n.Params.ID)
		}
	}
	return m
}

// lifeCycle is a rule as a dialect has them: hello first, bye at the end.
type lifeCycle struct{ greeted, left bool }

func (l *lifeCycle) Event(ev Event) error {
	l.left = ev.Method == "bye"
	if !l.greeted && ev.Method != "hello" {
		return fmt.Errorf("%s before hello", ev.Method)
	}
	l.greeted = true
	return nil
}

func (l *lifeCycle) End() error {
	if !l.left {
		return errors.New("no bye")
	}
	return nil
}

var testProtocols = Protocols{
	"silent": {Classify: classifyCancel, SilentCancel: true},
	"loud":   {Classify: classifyCancel},
	"polite": {Rules: func() []Rule { return []Rule{&lifeCycle{}} }},
}

func TestCheck(t *testing.T) {
	tests := []struct {
		name, protocol, log string
		want                []string
	}{
		{"in order", "plain", `
			> {"id":1,"method":"a"}
			> {"method":"n"}
			< {"id":1,"result":null}`, nil},
		{"never answered", "plain", `
			> {"id":1,"method":"a"}
			> {"id":2,"method":"b"}
			< {"id":2,"error":{"code":-32601,"message":"x"}}`,
			[]string{"line 1 (s1): request 1 a was never answered"}},
		{"answer without request", "plain", `< {"id":7,"result":1}`,
			[]string{"line 1 (s1): answer to 7, which no request in flight has as its id"}},
		{"two answers", "plain", `
			> {"id":1,"method":"a"}
			< {"id":1,"result":1}
			< {"id":1,"result":1}`,
			[]string{"line 3 (s1): answer to 1, which no request in flight has as its id"}},
		{"answer with the id in another form", "plain", `
			> {"id":1,"method":"a"}
			< {"id":"1","result":1}`,
			[]string{`line 2 (s1): answer to "1", which no request in flight has as its id`,
				"line 1 (s1): request 1 a was never answered"}},
		{"answer by its own sender", "plain", `
			> {"id":1,"method":"a"}
			> {"id":1,"result":1}`,
			[]string{"line 2 (s1): answer to 1, which no request in flight has as its id",
				"line 1 (s1): request 1 a was never answered"}},
		{"both sides use an id", "plain", `
			> {"id":1,"method":"a"}
			< {"id":1,"method":"b"}
			> {"id":1,"result":1}
			< {"id":1,"result":1}`, nil},
		{"id in flight twice", "plain", `
			> {"id":1,"method":"a"}
			> {"id":1,"method":"b"}
			< {"id":1,"error":{"code":-32600,"message":"in use"}}
			< {"id":1,"result":1}`,
			[]string{"line 2 (s1): request 1 b uses an id that is in flight"}},
		{"id used again", "plain", `
			> {"id":1,"method":"a"}
			< {"id":1,"result":1}
			> {"id":1,"method":"a"}
			< {"id":1,"result":1}`, nil},
		{"error about an unreadable id", "plain", `< {"id":null,"error":{"code":-32700}}`, nil},
		{"result for nothing", "plain", `< {"id":null,"result":1}`,
			[]string{"line 1 (s1): answer to null, which no request in flight has as its id"}},
		{"request with id null", "plain", `
			> {"id":null,"method":"a"}
			< {"id":null,"result":1}`, nil},
		{"batch", "plain", `
			> [{"id":1,"method":"a"},{"method":"n"},{"id":2,"method":"b"}]
			< [{"id":2,"result":1}]`,
			[]string{"line 1 (s1): request 1 a was never answered"}},
		{"keys in the wrong case", "plain", `> {"ID":1,"Method":"a"}`,
			[]string{"line 1 (s1): neither a request nor a notification nor an answer"}},
		{"no message", "plain", `> {bad`,
			[]string{"line 1 (s1): a frame of 4 bytes that is not a message"}},
		{"answered in a gap", "plain", `
			> {"id":1,"method":"a"}
			dropped
			< {"id":2,"result":1}`,
			[]string{"line 2 (s1): messages missing from the log: 1"}},
		{"begins in the middle", "plain", `
			continues
			< {"id":2,"result":1}`, nil},
		{"a rotation in between", "plain", `
			> {"method":"n"}
			continues
			< {"id":2,"result":1}`,
			[]string{"line 3 (s1): answer to 2, which no request in flight has as its id"}},
		{"cancelled, no answer needed", "silent", `
			> {"id":1,"method":"a"}
			> {"method":"cancel","params":{"id":1}}`, nil},
		{"cancelled by the other side", "silent", `
			> {"id":1,"method":"a"}
			< {"method":"cancel","params":{"id":1}}`,
			[]string{"line 1 (s1): request 1 a was never answered"}},
		{"cancelled, answer needed", "loud", `
			> {"id":1,"method":"a"}
			> {"method":"cancel","params":{"id":1}}`,
			[]string{"line 1 (s1): request 1 a was never answered"}},
		{"rules kept", "polite", `
			> {"method":"hello"}
			> {"method":"bye"}`, nil},
		// The rules used to be held against a session of which messages are missing.
		{"rules after a gap", "polite", `
			> {"method":"hello"}
			dropped`,
			[]string{"line 2 (s1): messages missing from the log: 1"}},
		{"rules broken", "polite", `
			> {"method":"early"}
			> {"method":"hello"}`,
			[]string{"line 1 (s1): early before hello", "line 2 (s1): no bye"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			found, err := Check(NewReader(parseLog(t, tt.protocol, tt.log)), testProtocols)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range found {
				got = append(got, f.String())
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestCheckReportsBadLines(t *testing.T) {
	log := strings.NewReader("{bad\n" + `{"dir":"in","msg":{"id":1,"method":"a"}}` + "\n")
	found, err := Check(NewReader(log), nil)
	if err != nil || len(found) != 2 || found[0].Line != 1 || found[1].Line != 2 {
		t.Errorf("got %v, %v", found, err)
	}
}
