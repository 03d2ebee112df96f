package source

import (
	"strings"
	"testing"

	"go.starlark.net/syntax"
)

func TestTextPositions(t *testing.T) {
	text := New("a\r\nb😀c\rd\n")
	if got := text.Lines(); got != 4 {
		t.Fatalf("Lines() = %d, want 4", got)
	}
	for _, tt := range []struct {
		name string
		pos  Position
		off  int
	}{
		{"start", Position{0, 0}, 0},
		{"before CRLF", Position{0, 9}, 1},
		{"after the emoji", Position{1, 5}, 8},
		{"line after a lone CR", Position{2, 0}, 10},
		{"beyond the last line", Position{9, 3}, 12},
		{"negative column", Position{1, -4}, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := text.Offset(tt.pos); got != tt.off {
				t.Errorf("Offset(%v) = %d, want %d", tt.pos, got, tt.off)
			}
		})
	}
	if got := text.Position(8); got != (Position{1, 5}) {
		t.Errorf("Position(8) = %v, want {1 5}", got)
	}
}

func TestTextAt(t *testing.T) {
	text := New("s = \"😀é\"; t\n")
	for _, tt := range []struct {
		name      string
		line, col int32
		off       int
	}{
		{"before", 1, 6, 5},
		{"second code point", 1, 7, 9},
		{"behind both", 1, 11, 14},
		{"clamped to the line", 1, 99, 15},
		{"unknown position", 0, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			name := "x"
			if got := text.At(syntax.MakePosition(&name, tt.line, tt.col)); got != tt.off {
				t.Errorf("At(%d:%d) = %d, want %d", tt.line, tt.col, got, tt.off)
			}
		})
	}
}

// TestTextAtLongLine finds every code point of lines that are longer than what is counted one by
// one, and where one is asked for that is behind the end of the line.
func TestTextAtLongLine(t *testing.T) {
	line := strings.Repeat("é😀\xffx", stride)
	text := New(line + "\n" + line + "\r\n" + line)
	name := "x"
	for n := range int32(text.Lines()) {
		span, col := text.LineSpan(int(n)), int32(1)
		for off := range text.Slice(span) {
			if got := text.At(syntax.MakePosition(&name, n+1, col)); got != span.Start+off {
				t.Fatalf("At(%d:%d) = %d, want %d", n+1, col, got, span.Start+off)
			}
			col++
		}
		for _, beyond := range []int32{col, col + 1, col + 3*stride, col + 999*stride} {
			if got := text.At(syntax.MakePosition(&name, n+1, beyond)); got != span.End {
				t.Errorf("At(%d:%d) = %d, want the end of the line, %d", n+1, beyond, got, span.End)
			}
		}
	}
}

func TestApplyRefusesOverlap(t *testing.T) {
	for _, tt := range []struct {
		name  string
		edits []Edit
	}{
		{"overlap", []Edit{{Span{0, 2}, "x"}, {Span{1, 3}, "y"}}},
		{"outside", []Edit{{Span{0, 9}, "x"}}},
		{"reversed", []Edit{{Span{2, 1}, "x"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := Apply("abc", tt.edits); err == nil {
				t.Errorf("Apply = %q, want an error", got)
			}
		})
	}
}

func FuzzDiff(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nx\nc\nd")
	f.Add("", "x")
	f.Add("a\nb\nc\nd\n", "b\nd\na\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		got, err := Apply(before, Diff(before, after))
		if err != nil || got != after {
			t.Errorf("Apply(Diff(%q, %q)) = %q, %v", before, after, got, err)
		}
	})
}

func TestDiffIsSmall(t *testing.T) {
	edits := Diff("a\nb\nc\nd\n", "a\nB\nc\nd\ne\n")
	if len(edits) != 2 || edits[0] != (Edit{Span{2, 4}, "B\n"}) || edits[1].New != "e\n" {
		t.Errorf("Diff = %v, want two one-line edits", edits)
	}
}
