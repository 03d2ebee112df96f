package framing

import (
	"bytes"
	"io"
	"runtime"
	"strings"
	"testing"
)

// allocated returns how many bytes f takes from the heap, whether or not they are freed again.
func allocated(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// filler is a source of n bytes, x without an end of line, that takes no memory.
type filler int

func (f *filler) Read(b []byte) (int, error) {
	if *f == 0 {
		return 0, io.EOF
	}
	n := min(len(b), int(*f))
	for i := range b[:n] {
		b[i] = 'x'
	}
	*f -= filler(n)
	return n, nil
}

// What a peer only declares, or sends too much of, takes little memory.
func TestMemory(t *testing.T) {
	const mib = 1 << 20
	declare := func(length string, bytes int) io.Reader {
		rest := filler(bytes)
		return io.MultiReader(strings.NewReader("Content-Length: "+length+"\r\n\r\n"), &rest)
	}
	flood := filler(64 * mib)
	endlessHeader := filler(64 * mib)
	for _, test := range []struct {
		name string
		src  io.Reader
		f    Framing
		most int
		want string
	}{
		{"60 MiB declared, nothing sent", declare("62914560", 0), ContentLength, 2 * mib, "!truncated"},
		{"60 MiB declared, 3 MiB sent", declare("62914560", 3*mib), ContentLength, 16 * mib,
			"!truncated"},
		{"100 MiB declared and sent", declare("104857600", 100*mib), ContentLength, mib / 4,
			"frame too long, skip 104857600"},
		{"2^62 declared", declare("4611686018427387904", mib), ContentLength, mib / 4,
			"!frame too long"},
		{"line of 64 MiB, 8 allowed", &flood, Newline, 32 * mib, "frame too long"},
		{"header of 64 MiB", &endlessHeader, ContentLength, mib, "!header too long"},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := Limits{}
			if test.f == Newline {
				l.Frame = 8 * mib
			}
			r := NewReader(test.src, test.f, l)
			var first string
			got := allocated(func() {
				first = outcome(r.Next())
				for r.err == nil {
					_, _ = r.Next()
				}
			})
			if first != test.want {
				t.Errorf("got %q, want %q", first, test.want)
			}
			if got > test.most {
				t.Errorf("took %d bytes, more than %d", got, test.most)
			}
		})
	}
}

func TestChunkFollowsTraffic(t *testing.T) {
	small := ContentLength.Append(nil, []byte(`{"id":1}`))
	src := &pieces{small}
	r := NewReader(src, ContentLength, Limits{})
	next := func(n int) {
		for range n {
			if _, err := r.Next(); err != nil {
				t.Fatal(err)
			}
		}
	}
	wait := func() { // look for a message that has not come: what an idle session does
		r.in.fill(0, 100)
		r.in.err = nil
	}

	next(1)
	wait()
	if got := len(r.in.chunk); got != minChunk {
		t.Errorf("an idle session waits on %d bytes, want %d", got, minChunk)
	}
	*src = append(*src, bytes.Repeat(small, 30_000))
	next(30_000)
	if got := len(r.in.chunk); got != maxChunk {
		t.Errorf("under load a chunk has %d bytes, want %d", got, maxChunk)
	}
	for range 100 {
		*src = append(*src, small)
		next(1)
	}
	wait()
	if got := len(r.in.chunk); got > 4*minChunk {
		t.Errorf("after the load a session waits on %d bytes", got)
	}
}

// Small messages that were read along with a large one used to be parts of its buffer.
func TestSmallMessageDoesNotPinLargeOne(t *testing.T) {
	var stream []byte
	for _, size := range []int{300_000, 5, 5, 200_000, 5} {
		stream = Newline.Append(stream, bytes.Repeat([]byte{'x'}, size))
	}
	r := NewReader(bytes.NewReader(stream), Newline, Limits{})
	for {
		_, err := r.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := len(r.in.chunk); got > maxChunk {
			t.Fatalf("the next message will be in a chunk of %d bytes", got)
		}
	}
}

// One large frame says nothing about what follows: its session used to wait on a full chunk then.
func TestLargeFrameThenIdle(t *testing.T) {
	frame := ContentLength.Append(nil, bytes.Repeat([]byte{'x'}, 1<<20))
	r := NewReader(bytes.NewReader(frame), ContentLength, Limits{})
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	if got := len(r.in.chunk); got > 4*minChunk {
		t.Errorf("the session waits on %d bytes", got)
	}
}

// Reading costs less than one allocation for each hundred small messages.
func TestAllocations(t *testing.T) {
	for _, f := range []Framing{ContentLength, Newline} {
		src := &endless{frames: bytes.Repeat(f.Append(nil, []byte(`{"id":1}`)), 1000)}
		r := NewReader(src, f, Limits{})
		got := testing.AllocsPerRun(100, func() {
			for range 100 {
				if _, err := r.Next(); err != nil {
					t.Fatal(err)
				}
			}
		})
		if got > 1 {
			t.Errorf("%v: %v allocations for 100 messages", f, got)
		}
	}
}
