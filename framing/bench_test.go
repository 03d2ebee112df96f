package framing

import (
	"bytes"
	"strings"
	"testing"
)

// bodies are the messages the benchmarks carry, by the size that streambench measures too.
var bodies = []struct {
	name string
	body []byte
}{
	{"small", []byte(`{"jsonrpc":"2.0","id":1,"method":"echo","params":["twelve bytes"]}`)},
	{"10kB", []byte(`{"jsonrpc":"2.0","id":1,"params":["` + strings.Repeat("x", 10_000) + `"]}`)},
	{"1MiB", []byte(`{"jsonrpc":"2.0","id":1,"params":["` + strings.Repeat("x", 1<<20) + `"]}`)},
}

// endless repeats the same frames for ever, a socket buffer at a time.
type endless struct {
	frames []byte
	pos    int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p[:min(len(p), 64<<10)], e.frames[e.pos:])
	e.pos = (e.pos + n) % len(e.frames)
	return n, nil
}

func BenchmarkReader(b *testing.B) {
	for _, f := range []Framing{ContentLength, Newline} {
		for _, msg := range bodies {
			b.Run(f.String()+"/"+msg.name, func(b *testing.B) {
				frame := f.Append(nil, msg.body)
				frames := bytes.Repeat(frame, max(1, (256<<10)/len(frame)))
				r := NewReader(&endless{frames: frames}, Auto, Limits{})
				b.ReportAllocs()
				b.SetBytes(int64(len(msg.body)))
				for b.Loop() {
					if got, err := r.Next(); err != nil || len(got) != len(msg.body) {
						b.Fatal(len(got), err)
					}
				}
			})
		}
	}
}

// BenchmarkReady asks before each message whether it is there, as a scheduler does.
func BenchmarkReady(b *testing.B) {
	frames := bytes.Repeat(ContentLength.Append(nil, bodies[0].body), 3000)
	r := NewReader(&endless{frames: frames}, ContentLength, Limits{})
	ready := 0
	b.ReportAllocs()
	for b.Loop() {
		if r.Ready() {
			ready++
		}
		if _, err := r.Next(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(ready)/float64(b.N), "ready/op")
}

func BenchmarkAppend(b *testing.B) {
	for _, f := range []Framing{ContentLength, Newline} {
		for _, msg := range bodies {
			b.Run(f.String()+"/"+msg.name, func(b *testing.B) {
				var out []byte
				b.ReportAllocs()
				b.SetBytes(int64(len(msg.body)))
				for b.Loop() {
					out = f.Append(out[:0], msg.body)
				}
			})
		}
	}
}

func BenchmarkBeginEnd(b *testing.B) {
	for _, guess := range []struct {
		name string
		size int
	}{{"right", 66}, {"wrong", 0}} {
		b.Run(guess.name, func(b *testing.B) {
			var out []byte
			b.ReportAllocs()
			for b.Loop() {
				out = ContentLength.Begin(out[:0], guess.size)
				out = append(out, bodies[0].body...)
				out = ContentLength.End(out, 0)
			}
		})
	}
}
