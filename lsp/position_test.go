package lsp

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"go.lsp.dev/protocol"
)

const (
	utf8Kind  = protocol.PositionEncodingKindUTF8
	utf16Kind = protocol.PositionEncodingKindUTF16
	utf32Kind = protocol.PositionEncodingKindUTF32
)

func TestChooseEncoding(t *testing.T) {
	type kinds = []protocol.PositionEncodingKind
	tests := []struct {
		name    string
		offered kinds
		want    protocol.PositionEncodingKind
	}{
		{"nothing offered", nil, utf16Kind},
		{"first of several", kinds{utf32Kind, utf8Kind, utf16Kind}, utf32Kind},
		{"utf-8 preferred", kinds{utf8Kind, utf16Kind}, utf8Kind},
		{"utf-16 preferred", kinds{utf16Kind, utf8Kind}, utf16Kind},
		{"unknown ones passed over", kinds{"utf-7", "", "UTF-16", utf8Kind}, utf8Kind},
		{"only unknown ones", kinds{"utf-7"}, utf16Kind},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := ChooseEncoding(tt.offered); got != tt.want {
				t.Errorf("ChooseEncoding(%q) = %q, want %q", tt.offered, got, tt.want)
			}
		})
	}
}

// The example of the specification: b is at 3, 5 or 2 by encoding.
func TestSpecificationExample(t *testing.T) {
	text := NewText("a𐐀b")
	for enc, char := range map[protocol.PositionEncodingKind]uint32{
		utf16Kind: 3, utf8Kind: 5, utf32Kind: 2, "": 3,
	} {
		if got := text.Position(5, enc); got != at(0, char) {
			t.Errorf("%q: b is at %v, want character %d", enc, got, char)
		}
		if got := text.Offset(at(0, char), enc); got != 5 {
			t.Errorf("%q: character %d is at byte %d, want 5", enc, char, got)
		}
	}
}

func TestOffset(t *testing.T) {
	tests := []struct {
		text string
		pos  protocol.Position
		enc  protocol.PositionEncodingKind
		want int
	}{
		{"", at(0, 0), utf16Kind, 0},
		{"", at(3, 3), utf16Kind, 0},
		{"ab\r\ncd", at(0, 2), utf16Kind, 2},
		{"ab\r\ncd", at(0, 3), utf16Kind, 2},
		{"ab\r\ncd", at(0, 4), utf16Kind, 2},
		{"ab\r\ncd", at(1, 9), utf16Kind, 6},
		{"ab\r\ncd", at(2, 0), utf16Kind, 6},
		{"a\r\rb", at(1, 5), utf16Kind, 2},
		{"a\n\n", at(1, 5), utf16Kind, 2},
		{"a𐐀b", at(0, 2), utf16Kind, 1},
		{"a𐐀b", at(0, 4), utf8Kind, 1},
		{"€", at(0, 2), utf8Kind, 0},
		{"\xff\xff\n", at(0, 1), utf16Kind, 1},
		{"\xff\xff\n", at(0, 3), utf32Kind, 2},
		{"\ufeffa", at(0, 1), utf16Kind, 3},
		{"ab", at(1<<32-1, 0), utf8Kind, 2},
		{"ab\n", at(0, 1<<32-1), utf8Kind, 2},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%q %d:%d", tt.text, tt.pos.Line, tt.pos.Character),
			func(t *testing.T) {
				if got := NewText(tt.text).Offset(tt.pos, tt.enc); got != tt.want {
					t.Errorf("%s: offset %d, want %d", tt.enc, got, tt.want)
				}
			})
	}
}

func TestPosition(t *testing.T) {
	tests := []struct {
		text string
		off  int
		want protocol.Position // in UTF-16
	}{
		{"", 0, at(0, 0)},
		{"ab", -1, at(0, 0)},
		{"ab\ncd", 99, at(1, 2)},
		{"ab\r\ncd", 2, at(0, 2)},
		{"ab\r\ncd", 3, at(0, 2)},
		{"ab\r\ncd", 4, at(1, 0)},
		{"ab\r", 3, at(1, 0)},
		{"a𐐀b", 3, at(0, 1)},
		{"a𐐀b", 5, at(0, 3)},
		{"\xf0\x90\x90", 2, at(0, 2)},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%q %d", tt.text, tt.off), func(t *testing.T) {
			if got := NewText(tt.text).Position(tt.off, utf16Kind); got != tt.want {
				t.Errorf("position %v, want %v", got, tt.want)
			}
		})
	}
}

func TestLength(t *testing.T) {
	const line = "a𐐀é\xff"
	for enc, want := range map[protocol.PositionEncodingKind]int{
		protocol.PositionEncodingKindUTF8:  8,
		protocol.PositionEncodingKindUTF16: 5,
		protocol.PositionEncodingKindUTF32: 4,
	} {
		if got := Length(line, enc); got != want {
			t.Errorf("%s: the length of %q is %d, want %d", enc, line, got, want)
		}
	}
}

// Both conversions agree with the flat model, at every kind of place.
func TestConversionsAtRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 30 {
		s := randomText(r, r.IntN(4*maxLeaf))
		text := NewText(s)
		for range 50 {
			enc := encodings[r.IntN(len(encodings))]
			pos := at(uint32(r.IntN(text.LineCount()+2)), uint32(r.IntN(1<<r.IntN(10))))
			if got, want := text.Offset(pos, enc), flat(s).offset(pos, enc); got != want {
				t.Fatalf("%s: %v is at offset %d, want %d, in %q", enc, pos, got, want, s)
			}
			off := r.IntN(len(s) + 1)
			if got, want := text.Position(off, enc), flat(s).position(off, enc); got != want {
				t.Fatalf("%s: offset %d is at %v, want %v, in %q", enc, off, got, want, s)
			}
		}
	}
}
