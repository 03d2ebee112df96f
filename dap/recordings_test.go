package dap

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"triplex/host"
)

const recordingsGlob = "../../shared/recordings/dap-*.jsonl"

// record is a message of a recorded session of a real adapter.
type record struct {
	N    int    `json:"n"`
	Dir  string `json:"dir"` // c2s, s2c
	Body string `json:"body"`
}

func recordings(t *testing.T) map[string][]record {
	t.Helper()
	paths, err := filepath.Glob(recordingsGlob)
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Skip("no recorded sessions are here: ", recordingsGlob)
	}
	sessions := map[string][]record{}
	for _, path := range paths {
		sessions[strings.TrimSuffix(filepath.Base(path), ".jsonl")] = readRecords(t, path)
	}
	return sessions
}

func readRecords(t *testing.T, path string) (records []record) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for lines.Scan() {
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if r.Body != "" {
			records = append(records, r)
		}
	}
	return records
}

// TestRecordingsPassThrough sends recorded sessions through the two envelopes of a relay: one
// faces the client, the other the adapter. What goes in comes out, except that the numbers are
// those of our own sequence: dlv has gaps and disorder in its.
func TestRecordingsPassThrough(t *testing.T) {
	for name, records := range recordings(t) {
		t.Run(name, func(t *testing.T) {
			ends := map[string]host.Envelope{
				"c2s": newEnvelope(host.Limits{}), "s2c": newEnvelope(host.Limits{}),
			}
			other := map[string]string{"c2s": "s2c", "s2c": "c2s"}
			seq := map[string]int{}
			for _, r := range records {
				var m host.Message
				if err := ends[r.Dir].Decode([]byte(r.Body), &m); err != nil {
					t.Fatalf("message %d: %v", r.N, err)
				}
				seq[r.Dir]++
				got := object(t, ends[other[r.Dir]].Append(nil, &m))
				want := object(t, []byte(r.Body))
				want["seq"] = json.Number(itoa(seq[r.Dir]))
				if !reflect.DeepEqual(got, want) {
					t.Errorf("message %d\n got %v\nwant %v", r.N, got, want)
				}
			}
		})
	}
}

// TestRecordingsKeepTheirErrors answers recorded requests with recorded errors as a relay does
// that has only the error object of the failed call, and the command of its own request.
func TestRecordingsKeepTheirErrors(t *testing.T) {
	failures := 0
	for name, records := range recordings(t) {
		for _, r := range records {
			var m host.Message
			if err := newEnvelope(host.Limits{}).Decode([]byte(r.Body), &m); err != nil {
				t.Fatal(err)
			}
			if m.Error == nil {
				continue
			}
			failures++
			want := object(t, []byte(r.Body))
			want["seq"], want["command"] = json.Number("1"), "original"
			m = host.Message{
				Kind: host.KindResponse, Method: "original", Error: m.Error,
				ID: json.RawMessage(want["request_seq"].(json.Number)),
			}
			got := object(t, newEnvelope(host.Limits{}).Append(nil, &m))
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s, message %d\n got %v\nwant %v", name, r.N, got, want)
			}
		}
	}
	if failures == 0 {
		t.Error("no failed response was recorded")
	}
}

// TestRecordingsPassTypes decodes recorded arguments and bodies into the package's types and
// encodes them again: nothing is lost, be it unknown to the schema or false. A round trip through
// go-dap changed 68 of 398 messages and refused 5.
func TestRecordingsPassTypes(t *testing.T) {
	for name, records := range recordings(t) {
		t.Run(name, func(t *testing.T) {
			for _, r := range records {
				var m host.Message
				if err := newEnvelope(host.Limits{}).Decode([]byte(r.Body), &m); err != nil {
					t.Fatalf("message %d: %v", r.N, err)
				}
				raw, typ := m.Params, descriptors[m.Method].params
				if m.Kind == host.KindResponse {
					raw, typ = m.Result, descriptors[m.Method].result
				}
				if raw == nil || string(raw) == "null" || typ == nil ||
					typ == reflect.TypeFor[Empty]() {
					continue
				}
				got, want := roundTrip(t, raw, typ), value(t, raw)
				if args := want.(map[string]any); m.Kind == host.KindRequest &&
					m.Method == RunInTerminal.Method && args["cwd"] == nil {
					args["cwd"] = "" // lldb-dap leaves this required member out
				}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("message %d, %s\n got %v\nwant %v", r.N, m.Method, got, want)
				}
			}
		})
	}
}

func roundTrip(t *testing.T, raw []byte, typ reflect.Type) any {
	t.Helper()
	v := reflect.New(typ)
	if err := unmarshal(raw, v.Interface()); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	out, err := marshal(v.Elem().Interface())
	if err != nil {
		t.Fatal(err)
	}
	return value(t, out)
}
