package wirelog

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestReader(t *testing.T) {
	const good = `{"dir":"in","msg":1}`
	tests := []struct {
		name, text string
		lines      []int  // of the records
		errs       string // of the first line that is wrong
		cut        bool
	}{
		{"empty", "", nil, "", false},
		{"two lines", good + "\n" + good + "\n", []int{1, 2}, "", false},
		{"blank lines and CRLF", "\r\n" + good + "\r\n\n" + good, []int{2, 4}, "", false},
		{"cut last line", good + "\n" + good[:12], []int{1}, "", true},
		{"bad line between", good + "\n{bad\n" + good + "\n", []int{1, 3}, "line 2: not a record", false},
		{"bad last line", "{bad\n", nil, "line 1: not a record", false},
		{"long line", good + "\n" + strings.Repeat(" ", 100) + "\n" + good, []int{1, 3},
			"line 2: longer than 64 bytes", false},
		{"long last line", strings.Repeat(" ", 100), nil, "", true},
		{"no direction", `{"msg":1}` + "\n", nil, `the direction is ""`, false},
		{"nothing in it", "{}\n", nil, "want one of msg, raw, dropped", false},
		{"two things in it", `{"dir":"in","msg":1,"raw":""}` + "\n", nil, "want one of", false},
		{"negative count", `{"dropped":-1}` + "\n", nil, "want one of", false},
		{"an array", "[]\n", nil, "not a record", false},
		{"end of a recording", `{"n":60,"dir":"s2c","us":1,"eof":true}` + "\n" + good, []int{2}, "",
			false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := NewReader(strings.NewReader(tt.text))
			r.MaxLine = 64
			var lines []int
			var errs error
			for {
				record, err := r.Next()
				var lineErr *LineError
				if err == io.EOF {
					break
				} else if errors.As(err, &lineErr) {
					errs = errors.Join(errs, err)
				} else if err != nil {
					t.Fatal(err)
				} else {
					lines = append(lines, record.Line)
				}
			}
			if !reflect.DeepEqual(lines, tt.lines) || r.Cut() != tt.cut {
				t.Errorf("records of lines %v, cut %v", lines, r.Cut())
			}
			if (errs != nil) != (tt.errs != "") ||
				errs != nil && !strings.Contains(errs.Error(), tt.errs) {
				t.Errorf("got error %v, want %q", errs, tt.errs)
			}
		})
	}
}

func TestRecordingLine(t *testing.T) {
	text := `{"n":2,"us":1500000,"dir":"s2c","header":"Content-Length: 2\r\n\r\n","body":"{\"a\": 1}"}
{"n":3,"us":1500001,"dir":"c2s","header":"","body":"{bad"}
`
	want := []Record{
		{Time: time.UnixMicro(1500000).UTC(), Dir: Out, Msg: json.RawMessage(`{"a": 1}`)},
		{Time: time.UnixMicro(1500001).UTC(), Dir: In, Raw: []byte("{bad")},
	}
	if got := readAll(t, strings.NewReader(text)); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// TestFollow reads a log while it is written and rotated.
func TestFollow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wire.log")
	synctest.Test(t, func(t *testing.T) {
		file, err := openRotator(path, 200, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		follower, err := Follow(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		defer follower.Close()
		reader := NewReader(follower)
		go func() { // each record in a file of its own, and in two halves
			for range 4 {
				line := message(100).AppendLine(nil)
				half := len(line) / 2
				file.Write(line[:half])
				time.Sleep(time.Second)
				file.file.Write(line[half:])
				time.Sleep(time.Second)
			}
			cancel()
		}()
		for i := range 4 {
			record, err := reader.Next()
			if err == nil && record.Continues {
				record, err = reader.Next()
			}
			if err != nil || record.Msg == nil {
				t.Fatalf("record %d: %+v, %v", i, record, err)
			}
		}
		if _, err := reader.Next(); err != io.EOF {
			t.Errorf("after the end of the context: %v", err)
		}
	})
}

func TestOpenFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none")
	if _, err := Open(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Open: %v", err)
	}
	if _, err := Follow(t.Context(), path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Follow: %v", err)
	}
}

// FuzzReader: whatever the bytes, the reader ends, and what it took for a record survives being
// written and read again.
func FuzzReader(f *testing.F) {
	f.Add([]byte(`{"time":"2026-03-01T10:00:00Z","session":"s","dir":"in","msg":{"id":1}}` + "\n"))
	f.Add([]byte(`{"dir":"out","raw":"AAE="}` + "\n" + `{"dropped":3}` + "\n" + `{"continues":true}`))
	f.Add([]byte(`{"us":5,"dir":"c2s","body":"{}"}` + "\n" + `{"dir":"in","msg":`))
	f.Fuzz(func(t *testing.T, text []byte) {
		reader := NewReader(strings.NewReader(string(text)))
		for {
			record, err := reader.Next()
			if err == io.EOF {
				return
			}
			var lineErr *LineError
			if errors.As(err, &lineErr) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			line := record.AppendLine(nil)
			again, err := NewReader(strings.NewReader(string(line))).Next()
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if again := again.AppendLine(nil); string(again) != string(line) {
				t.Fatalf("got  %swant %s", again, line)
			}
		}
	})
}
