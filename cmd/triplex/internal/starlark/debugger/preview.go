package debugger

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"
)

// Bounds of a short preview, besides its length: how deep it goes, and how large an integer is
// written out (the time that takes grows faster than its length). A long one goes deeper, by a
// level for so many bytes, and writes what fits into it: a digit stands for more than three bits.
const (
	minDepth      = 8
	bytesPerLevel = 64
	minBits       = 1 << 14
	bitsPerByte   = 3
)

// preview returns a value as Starlark would write it, if that takes at most limit bytes, or else
// the beginning of it and an ellipsis. It takes no longer than its result is, whatever the value,
// unless the value is of an embedder's type: these write themselves.
func preview(v starlark.Value, limit int) string {
	p := printer{limit: limit}
	p.value(v, 0)
	if p.full() {
		return shorten(p.out.String(), limit) + "…"
	}
	return p.out.String()
}

// shorten cuts a string to at most n bytes, between characters.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// A printer writes until it has written more than limit bytes.
type printer struct {
	out   strings.Builder
	limit int
	open  []starlark.Value // the lists and dicts that are being written
}

func (p *printer) full() bool { return p.out.Len() > p.limit }

func (p *printer) value(v starlark.Value, depth int) {
	if depth > max(minDepth, p.limit/bytesPerLevel) {
		p.out.WriteString("...")
		return
	}
	switch v := v.(type) {
	case nil:
		p.out.WriteString("(unassigned)")
	case starlark.String:
		p.quote(string(v), false)
	case starlark.Bytes:
		p.quote(string(v), true)
	case starlark.Int:
		p.int(v)
	case *starlark.List:
		p.within(v, "[...]", func() { p.sequence("[", v, "]", depth) })
	case starlark.Tuple:
		p.tuple(v, depth)
	case *starlark.Dict:
		p.within(v, "{...}", func() { p.dict(v, depth) })
	case *starlark.Set:
		p.set(v, depth)
	case *starlarkstruct.Struct:
		p.structure(v, depth)
	default:
		p.out.WriteString(v.String())
	}
}

// within writes a list or a dict, or what stands for it inside of itself.
func (p *printer) within(v starlark.Value, again string, write func()) {
	if slices.Contains(p.open, v) {
		p.out.WriteString(again)
		return
	}
	p.open = append(p.open, v)
	write()
	p.open = p.open[:len(p.open)-1]
}

func (p *printer) quote(s string, bytes bool) {
	cut := shorten(s, p.limit)
	quoted := syntax.Quote(cut, bytes)
	if len(cut) < len(s) {
		// Without the closing quote, and long enough to be cut.
		quoted = strings.TrimSuffix(quoted, `"`) + strings.Repeat(" ", p.limit)
	}
	p.out.WriteString(quoted)
}

func (p *printer) int(v starlark.Int) {
	if bits := v.BigInt().BitLen(); bits > max(minBits, p.limit*bitsPerByte) {
		fmt.Fprintf(&p.out, "(an integer of %d bits)", bits)
		return
	}
	p.out.WriteString(v.String())
}

func (p *printer) sequence(left string, v starlark.Indexable, right string, depth int) {
	p.out.WriteString(left)
	for i := 0; i < v.Len() && !p.full(); i++ {
		if i > 0 {
			p.out.WriteString(", ")
		}
		p.value(v.Index(i), depth+1)
	}
	p.out.WriteString(right)
}

func (p *printer) tuple(v starlark.Tuple, depth int) {
	right := ")"
	if len(v) == 1 {
		right = ",)"
	}
	p.sequence("(", v, right, depth)
}

func (p *printer) dict(v *starlark.Dict, depth int) {
	p.out.WriteByte('{')
	sep := ""
	for key, value := range v.Entries() {
		if p.full() {
			break
		}
		p.out.WriteString(sep)
		p.value(key, depth+1)
		p.out.WriteString(": ")
		p.value(value, depth+1)
		sep = ", "
	}
	p.out.WriteByte('}')
}

func (p *printer) set(v *starlark.Set, depth int) {
	p.out.WriteString("set([")
	sep := ""
	for elem := range v.Elements() {
		if p.full() {
			break
		}
		p.out.WriteString(sep)
		p.value(elem, depth+1)
		sep = ", "
	}
	p.out.WriteString("])")
}

func (p *printer) structure(v *starlarkstruct.Struct, depth int) {
	if name, ok := starlark.AsString(v.Constructor()); ok {
		p.out.WriteString(name)
	} else {
		p.value(v.Constructor(), depth+1)
	}
	p.out.WriteByte('(')
	for i, name := range v.AttrNames() {
		if p.full() {
			break
		}
		if i > 0 {
			p.out.WriteString(", ")
		}
		p.out.WriteString(name + " = ")
		if field, err := v.Attr(name); err == nil {
			p.value(field, depth+1)
		}
	}
	p.out.WriteByte(')')
}
