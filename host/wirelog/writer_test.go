package wirelog

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

var testTime = time.Date(2026, 3, 1, 10, 0, 0, 1000, time.UTC)

// sink is a disk that a test can slow down or break.
type sink struct {
	mu   sync.Mutex // guards the fields below
	text bytes.Buffer
	err  error
	gate chan struct{} // each write takes one; nil: writes do not wait
}

func (s *sink) Write(p []byte) (int, error) {
	if s.gate != nil {
		<-s.gate
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return 0, s.err
	}
	return s.text.Write(p)
}

func (s *sink) Close() error { return nil }

func (s *sink) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

// readAll reads records until the end and clears their lines.
func readAll(t *testing.T, r io.Reader) []Record {
	t.Helper()
	var records []Record
	for reader := NewReader(r); ; {
		record, err := reader.Next()
		if err == io.EOF {
			return records
		}
		if err != nil {
			t.Fatal(err)
		}
		record.Line = 0
		records = append(records, record)
	}
}

// message returns a record of a message of n bytes.
func message(n int) Record {
	text := `"` + strings.Repeat("x", n-2) + `"`
	return Record{Time: testTime, Session: "s", Dir: In, Msg: json.RawMessage(text)}
}

func TestRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wire.log")
	want := []Record{
		{Time: testTime, Session: "s1", Peer: "127.0.0.1:9", Protocol: "lsp", Dir: In,
			Msg: json.RawMessage(`{"id": 1.50,"method":"a<b>","params":{"x":"\u00e9é"}}`)},
		{Time: testTime, Dir: Out, Msg: json.RawMessage(`null`)},
		{Time: testTime, Session: "quote\" \x01 line\n", Dir: Out, Raw: []byte("{bad\n\xff")},
		{Time: testTime, Dir: In, Raw: []byte{}},
	}
	w, err := Create(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range want {
		w.Record(r)
	}
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.Record(want[0]) // after Close: nothing happens
	file, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if got := readAll(t, file); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; a log is for its owner only", info.Mode(), err)
	}
}

func TestLines(t *testing.T) {
	tests := []struct {
		name   string
		record Record
		redact []string
		want   string
	}{
		{"line ends become spaces", Record{Dir: In, Msg: []byte("{\r\n\t\"a\":\n1}")}, nil,
			`"dir":"in","msg":{  ` + "\t" + `"a": 1}}`},
		{"not JSON becomes raw", Record{Dir: In, Msg: []byte("{bad")}, nil,
			`"dir":"in","raw":"e2JhZA=="}`},
		{"not JSON is masked whole", Record{Dir: In, Msg: []byte("{bad")}, []string{"x"},
			`"dir":"in","raw":"Kioq"}`},
		{"redacted", Record{Dir: In, Msg: []byte(`{"token": "t"}`)}, []string{"token"},
			`"dir":"in","msg":{"token": "***"}}`},
		{"dropped", Record{Dropped: 3}, nil, `"dropped":3}`},
		{"continues", Record{Continues: true}, nil, `"continues":true}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.record.Time = testTime
			want := `{"time":"2026-03-01T10:00:00.000001Z",` + tt.want + "\n"
			got := string(tt.record.appendLine(nil, redactor{tt.redact}))
			if got != want {
				t.Errorf("got  %swant %s", got, want)
			}
		})
	}
}

// TestRecordCopies: the caller may reuse its buffer at once.
func TestRecordCopies(t *testing.T) {
	s := &sink{gate: make(chan struct{})}
	w := newWriter(s, Options{}.withDefaults())
	msg := json.RawMessage(`"abc"`)
	w.Record(Record{Dir: In, Msg: msg})
	copy(msg, `"xyz"`)
	close(s.gate)
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := readAll(t, &s.text); len(got) != 1 || string(got[0].Msg) != `"abc"` {
		t.Errorf("got %+v", got)
	}
}

// TestSlowDisk: with a disk that does not take anything, Record returns and drops what exceeds
// the queue; when the disk is back, the log says where how many records are missing.
func TestSlowDisk(t *testing.T) {
	tests := []struct {
		name string
		opts Options
		size int
		kept int // while the disk is blocked
	}{
		{"by count", Options{QueueRecords: 10}, 10, 10},
		{"by bytes", Options{QueueBytes: 5 * (recordOverhead + 1000)}, 1000, 5},
		{"one larger than the queue", Options{QueueBytes: 100}, 1000, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &sink{gate: make(chan struct{})}
				w := newWriter(s, tt.opts.withDefaults())
				start := time.Now()
				for range 100 {
					w.Record(message(tt.size))
				}
				if waited := time.Since(start); waited > 0 {
					t.Errorf("recording took %v", waited)
				}
				close(s.gate)
				synctest.Wait()
				w.Record(message(tt.size))
				if err := w.Close(t.Context()); err != nil {
					t.Fatal(err)
				}
				checkGap(t, readAll(t, &s.text), tt.kept, 100-tt.kept)
			})
		})
	}
}

// checkGap checks that the log has so many messages, then says that so many are missing, maybe in
// parts, and then has one message more.
func checkGap(t *testing.T, records []Record, kept, dropped int) {
	t.Helper()
	for i, r := range records {
		if isGap := i >= kept && i < len(records)-1; isGap != (r.Dropped > 0) {
			t.Errorf("record %d of %d is %+v", i, len(records), r)
		}
		dropped -= r.Dropped
	}
	if dropped != 0 || len(records) < kept+2 {
		t.Errorf("%d records; %d dropped ones are not accounted for", len(records), dropped)
	}
}

func TestCloseDoesNotWaitForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &sink{gate: make(chan struct{})}
		w := newWriter(s, Options{}.withDefaults())
		w.Record(message(10))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := w.Close(ctx)
		if !errors.Is(err, context.DeadlineExceeded) ||
			!strings.Contains(err.Error(), "records not written: 1") {
			t.Errorf("got %v", err)
		}
		close(s.gate)
		if err := w.Close(t.Context()); err != nil {
			t.Errorf("second close: %v", err)
		}
	})
}

func TestFullDisk(t *testing.T) {
	full := errors.New("no space left on device")
	synctest.Test(t, func(t *testing.T) {
		s := &sink{err: full}
		w := newWriter(s, Options{}.withDefaults())
		w.Record(message(10))
		synctest.Wait()
		w.Record(message(10))
		synctest.Wait()
		s.fail(nil)
		w.Record(message(10))
		synctest.Wait()
		s.fail(full)
		w.Record(message(10))
		if err := w.Close(t.Context()); !errors.Is(err, full) ||
			!strings.Contains(err.Error(), "records lost: 1") {
			t.Errorf("close: %v", err)
		}
		got := readAll(t, &s.text)
		if len(got) != 2 || got[0].Dropped != 2 || got[1].Msg == nil {
			t.Errorf("got %+v, want a gap of 2 and a message", got)
		}
	})
}

func TestCreateFails(t *testing.T) {
	if _, err := Create(filepath.Join(t.TempDir(), "no", "such"), Options{}); err == nil {
		t.Error("created a log in a directory that does not exist")
	}
}
