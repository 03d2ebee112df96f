package host

import (
	"encoding/json"
	"strings"
	"testing"
)

type benchmarkFrame struct {
	name string
	text []byte
}

// benchmarkFrames are messages as they occur, from a key press to a large document.
func benchmarkFrames() []benchmarkFrame {
	const (
		code   = `\tif err != nil {\n\t\treturn fmt.Errorf(\"read %s: %w\", name, err)\n\t}\n`
		prose  = `Nobody answers a request that was cancelled before it had been started. `
		record = `{"line":12,"character":3.5,"ok":true,"name":"abc","tags":["a","b"]},`
	)
	call := func(params string) []byte {
		return []byte(`{"jsonrpc":"2.0","id":1,"method":"echo","params":[` + params + `]}`)
	}
	text := func(unit string, size int) []byte {
		return call(`"` + strings.Repeat(unit, size/len(unit)) + `"`)
	}
	list := func(unit string, size int) []byte {
		return call(strings.TrimSuffix(strings.Repeat(unit, size/len(unit)), ","))
	}
	return []benchmarkFrame{
		{"tiny", []byte(`{"jsonrpc":"2.0","id":1,"method":"echo","params":[1]}`)},
		{"small", []byte(`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":` +
			`{"textDocument":{"uri":"file:///a.go"},"position":{"line":1,"character":2}}}`)},
		{"10kB-prose", text(prose, 10_000)},
		{"10kB-code", text(code, 10_000)},
		{"1MiB-prose", text(prose, 1<<20)},
		{"1MiB-code", text(code, 1<<20)},
		{"1MiB-german", text("Über allen Gipfeln ist Ruh, in allen Wipfeln spürest du ", 1<<20)},
		{"1MiB-kana", text("これは日本語のテキスト。", 1<<20)},
		{"1MiB-objects", list(record, 1<<20)},
		{"1MiB-numbers", list("12345,-1.5e3,7,", 1<<20)},
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, frame := range benchmarkFrames() {
		b.Run(frame.name, func(b *testing.B) {
			b.SetBytes(int64(len(frame.text)))
			b.ReportAllocs()
			var m Message
			for b.Loop() {
				if err := (JSONRPC{}).Decode(frame.text, &m); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkStandardValid is what the same messages cost encoding/json to check alone.
func BenchmarkStandardValid(b *testing.B) {
	for _, frame := range benchmarkFrames() {
		b.Run(frame.name, func(b *testing.B) {
			b.SetBytes(int64(len(frame.text)))
			for b.Loop() {
				if !json.Valid(frame.text) {
					b.Fatal("not valid")
				}
			}
		})
	}
}

func BenchmarkAppend(b *testing.B) {
	m := Message{Kind: KindResponse, ID: json.RawMessage("12345"), Result: json.RawMessage(`[1,2]`)}
	dst := make([]byte, 0, 256)
	b.ReportAllocs()
	for b.Loop() {
		dst = JSONRPC{}.Append(dst[:0], &m)
	}
}
