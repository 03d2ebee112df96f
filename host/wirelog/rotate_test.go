package wirelog

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

func TestRotation(t *testing.T) {
	tests := []struct {
		name  string
		opts  Options
		files int // besides the current one
	}{
		{"keeps two", Options{MaxBytes: 1000, Keep: 2}, 2},
		{"keeps none", Options{MaxBytes: 1000, Keep: -1}, 0},
		{"never", Options{MaxBytes: -1}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "wire.log")
			for i := range 40 {
				// A Writer for each record, because one may write several at once.
				w, err := Create(path, tt.opts)
				if err != nil {
					t.Fatal(err)
				}
				r := message(200)
				r.Session = fmt.Sprint(i)
				w.Record(r)
				if err := w.Close(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			for i := range tt.files + 2 {
				info, err := os.Stat(rotated(path, i))
				if exists := err == nil; exists != (i <= tt.files) {
					t.Errorf("file %d: %v", i, err)
				} else if exists && tt.opts.MaxBytes > 0 && info.Size() > tt.opts.MaxBytes {
					t.Errorf("file %d has %d bytes", i, info.Size())
				}
			}
			checkOrder(t, path, tt.opts.MaxBytes > 0)
		})
	}
}

// TestRotationByMany: programs that recorded into one file used to move its parts over one another,
// and what those held was lost.
func TestRotationByMany(t *testing.T) {
	const writers, each = 8, 50
	path := filepath.Join(t.TempDir(), "wire.log")
	var all sync.WaitGroup
	for range writers {
		r, err := openRotator(path, 1000, 1000, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			defer r.Close()
			for range each {
				if _, err := r.Write(message(200).AppendLine(nil)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	file, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	n := 0
	for _, record := range readAll(t, file) {
		if record.Msg != nil {
			n++
		}
	}
	if n != writers*each {
		t.Errorf("%d of %d records are left", n, writers*each)
	}
}

// checkOrder checks that the files together hold the last sessions in order without a gap.
func checkOrder(t *testing.T, path string, rotated bool) {
	t.Helper()
	file, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records := readAll(t, file)
	if records[0].Continues != rotated {
		t.Errorf("the first record is %+v", records[0])
	}
	last := 40
	for i := len(records) - 1; i >= 0; i-- {
		if records[i].Continues {
			continue
		}
		if last--; records[i].Session != fmt.Sprint(last) {
			t.Fatalf("session %s, want %d", records[i].Session, last)
		}
	}
	if !rotated && last != 0 {
		t.Errorf("the oldest session is %d", last)
	}
}

// TestTornLine: a record that a crash cut used to swallow the first record of the next run.
func TestTornLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wire.log")
	if err := os.WriteFile(path, []byte(`{"time":"2026-03-01T10:0`), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := Create(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.Record(message(10))
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r := NewReader(bytes.NewReader(text))
	var lineErr *LineError
	if _, err := r.Next(); !errors.As(err, &lineErr) || lineErr.Line != 1 {
		t.Errorf("the torn line: %v", err)
	}
	if got, err := r.Next(); err != nil || got.Line != 2 {
		t.Errorf("the line after it: %+v, %v", got, err)
	}
}
