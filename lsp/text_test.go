package lsp

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
)

func at(line, char uint32) protocol.Position {
	return protocol.Position{Line: line, Character: char}
}

func change(start, end protocol.Position, text string) protocol.TextDocumentContentChangeEvent {
	return &protocol.TextDocumentContentChangePartial{
		Range: protocol.Range{Start: start, End: end},
		Text:  text,
	}
}

func whole(text string) protocol.TextDocumentContentChangeEvent {
	return &protocol.TextDocumentContentChangeWholeDocument{Text: text}
}

func TestApply(t *testing.T) {
	type changes = []protocol.TextDocumentContentChangeEvent
	tests := []struct {
		name    string
		text    string
		changes changes
		want    string
	}{
		{"none", "ab", nil, "ab"},
		{"insert", "ab\ncd", changes{change(at(1, 1), at(1, 1), "X")}, "ab\ncXd"},
		{"insert into nothing", "", changes{change(at(0, 0), at(0, 0), "X")}, "X"},
		{"delete all", "ab\ncd", changes{change(at(0, 0), at(1, 2), "")}, ""},
		{"character far beyond the line", "ab\r\ncd",
			changes{change(at(0, 99), at(0, 99), "X")}, "abX\r\ncd"},
		{"character between CR and LF", "ab\r\ncd",
			changes{change(at(0, 3), at(0, 3), "X")}, "abX\r\ncd"},
		{"line beyond the last", "ab\ncd",
			changes{change(at(5, 0), at(9, 9), "X")}, "ab\ncdX"},
		{"end on the line after the last", "ab\ncd",
			changes{change(at(1, 0), at(2, 0), "")}, "ab\n"},
		{"start after end", "ab\ncd", changes{change(at(1, 1), at(0, 1), "X")}, "aXd"},
		{"largest numbers", "ab\ncd",
			changes{change(at(0, 1), at(1<<32-1, 1<<32-1), "X")}, "aX"},
		{"largest character", "ab\ncd",
			changes{change(at(0, 1<<32-1), at(0, 1<<32-1), "X")}, "abX\ncd"},
		{"line separator is no line end", "a\u2028b",
			changes{change(at(0, 2), at(0, 3), "X")}, "a\u2028X"},
		{"middle of a surrogate pair", "a𐐀b",
			changes{change(at(0, 2), at(0, 3), "X")}, "aXb"},
		{"each on the result of the one before", "ab\ncd", changes{
			change(at(0, 0), at(0, 0), "1\n"), change(at(1, 0), at(1, 1), "2")}, "1\n2b\ncd"},
		{"whole text between edits", "ab", changes{
			change(at(0, 0), at(0, 0), "1"), whole("x\ny"), change(at(1, 1), at(1, 1), "!")},
			"x\ny!"},
		{"CR and LF meet", "a\rb\nc", changes{
			change(at(1, 0), at(1, 1), ""), change(at(1, 0), at(1, 0), "X")}, "a\r\nXc"},
		{"LF typed after CR", "a\rb", changes{
			change(at(1, 0), at(1, 0), "\n"), change(at(1, 0), at(1, 0), "X")}, "a\r\nXb"},
		{"nil change", "ab", changes{nil, change(at(0, 0), at(0, 0), "X")}, "Xab"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := NewText(tt.text)
			after := before.Apply(tt.changes, protocol.PositionEncodingKindUTF16)
			if got := after.String(); got != tt.want {
				t.Errorf("after the changes: %q, want %q", got, tt.want)
			}
			if before.String() != tt.text {
				t.Errorf("the text before changed to %q", before)
			}
			checkTree(t, after.root)
		})
	}
}

func TestLine(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"", []string{""}},
		{"a", []string{"a"}},
		{"a\n", []string{"a", ""}},
		{"a\nb\r\nc\rd", []string{"a", "b", "c", "d"}},
		{"\r\r\n\n", []string{"", "", "", ""}},
		{"\n\r", []string{"", "", ""}},
		{"a\u2028b\u2029c\u0085d\ve\ff", []string{"a\u2028b\u2029c\u0085d\ve\ff"}},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%q", tt.text), func(t *testing.T) {
			text := NewText(tt.text)
			var got []string
			for i := range text.LineCount() {
				got = append(got, text.Line(i))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("lines %q, want %q", got, tt.want)
			}
			if s := text.Line(-1) + text.Line(text.LineCount()); s != "" {
				t.Errorf("lines outside the text read %q", s)
			}
		})
	}
}

func TestSlice(t *testing.T) {
	text := NewText("abc")
	for _, tt := range []struct {
		i, j int
		want string
	}{{0, 3, "abc"}, {1, 2, "b"}, {-5, 2, "ab"}, {2, 9, "c"}, {2, 1, ""}, {4, 9, ""}} {
		if got := text.Slice(tt.i, tt.j); got != tt.want {
			t.Errorf("Slice(%d, %d) = %q, want %q", tt.i, tt.j, got, tt.want)
		}
	}
}

func TestZeroText(t *testing.T) {
	var text Text
	if text.Len() != 0 || text.LineCount() != 1 || text.String() != "" || text.Line(0) != "" {
		t.Error("the zero Text is not empty")
	}
	changes := []protocol.TextDocumentContentChangeEvent{change(at(0, 0), at(7, 7), "x")}
	if got := text.Apply(changes, "").String(); got != "x" {
		t.Errorf("typing into the zero Text gives %q", got)
	}
}

// A CR that ends one leaf and an LF that starts the next are one line end, whatever joined them.
func TestLineEndAcrossLeaves(t *testing.T) {
	a, b := strings.Repeat("x", maxLeaf-1)+"\r", "\n"+strings.Repeat("y", maxLeaf-1)
	built := build(a + b)
	deleted := replace(build(a+"middle"+b), len(a), len(a)+len("middle"), "")
	for name, root := range map[string]*node{
		"built": built, "joined": concat(build(a), build(b)), "deleted between": deleted,
	} {
		checkTree(t, root)
		if text := newText(root); text.LineCount() != 2 || text.Line(0) != a[:len(a)-1] {
			t.Errorf("%s: %d lines, want 2", name, text.LineCount())
		}
	}
}

// Edits at any byte keep the tree in order and its text right, also inside characters.
func TestReplaceAtRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	want := randomText(r, 20*maxLeaf)
	root := build(want)
	for range 500 {
		i := r.IntN(len(want) + 1)
		j := min(i+r.IntN(1<<r.IntN(13)), len(want))
		s := randomText(r, r.IntN(1<<r.IntN(13)))
		root, want = replace(root, i, j, s), want[:i]+s+want[j:]
		checkTree(t, root)
		if newText(root).String() != want {
			t.Fatalf("replacing %d..%d with %q went wrong", i, j, s)
		}
	}
}

// One byte at a time, the pieces of a character and of a line end come together and part again.
func TestTypeByteByByte(t *testing.T) {
	base := strings.Repeat("\xf0\x90\x90\x80\r\n\x80", maxLeaf)
	var root *node
	for i := range 3 * maxLeaf {
		root = replace(root, i, i, base[i:i+1])
		checkTree(t, root)
	}
	for i := 3 * maxLeaf; i > 0; i-- {
		root = replace(root, 0, 1, "")
		checkTree(t, root)
	}
	if root != nil {
		t.Errorf("%q is left of a text that was deleted", root.text)
	}
}

// bigText is 10 MB of lines, or with an empty end, of one line.
func bigText(end string) string {
	return strings.Repeat("def f(x): return \"é𐐀\" + x # and so on, to the end"+end, 200_000)
}

// keystroke types one character into the middle of text.
func keystroke(text Text) Text {
	pos := text.Position(text.Len()/2, protocol.PositionEncodingKindUTF16)
	return text.Apply([]protocol.TextDocumentContentChangeEvent{change(pos, pos, "x")},
		protocol.PositionEncodingKindUTF16)
}

// The rule is less than a millisecond for each keystroke in 10 MB. Allocation is what can be
// tested anywhere: copying the text would take 10 MB for each.
func TestKeystrokeCopiesLittle(t *testing.T) {
	const strokes, limit = 100, 64 << 10
	text := NewText(bigText("\n"))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range strokes {
		text = keystroke(text)
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / strokes; each > limit {
		t.Errorf("a keystroke in %d bytes allocates %d bytes, want at most %d",
			text.Len(), each, limit)
	}
}

func BenchmarkKeystroke(b *testing.B) {
	for name, end := range map[string]string{"lines": "\n", "one line": ""} {
		b.Run(name, func(b *testing.B) {
			text := NewText(bigText(end))
			b.ReportAllocs()
			for b.Loop() {
				text = keystroke(text)
			}
		})
	}
}

func BenchmarkNewText(b *testing.B) {
	s := bigText("\n")
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		NewText(s)
	}
}

// FuzzText edits a text as the fuzzer says and compares it with the flat model.
func FuzzText(f *testing.F) {
	f.Add("ab\r\ncd", "X", uint32(0), uint32(99), uint32(0), uint32(3))
	f.Add("a𐐀b\rc", "\n", uint32(1), uint32(0), uint32(0), uint32(2))
	f.Add("\xf0\x90", "\x90\x80", uint32(0), uint32(2), uint32(9), uint32(9))
	f.Fuzz(func(t *testing.T, s, insert string, line, char, endLine, endChar uint32) {
		// Repeated, so that the edit meets the borders of leaves.
		for _, s := range []string{s, strings.Repeat(s, 1+2*maxLeaf/(len(s)+1))} {
			for _, enc := range encodings {
				start, end := at(line, char), at(endLine, endChar)
				i, j := flat(s).offset(start, enc), flat(s).offset(end, enc)
				i, j = min(i, j), max(i, j)
				text := NewText(s).Apply([]protocol.TextDocumentContentChangeEvent{
					change(start, end, insert)}, enc)
				if got, want := text.String(), s[:i]+insert+s[j:]; got != want {
					t.Fatalf("%s: %q, want %q", enc, got, want)
				}
				checkTree(t, text.root)
			}
		}
	})
}
