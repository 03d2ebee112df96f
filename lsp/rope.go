package lsp

import (
	"strings"
	"unicode/utf8"
)

// Leaves hold between minLeaf and maxLeaf bytes, so that an edit copies little and the tree stays
// small beside its text. Only the first and the last may be shorter.
const (
	maxLeaf = 2048
	minLeaf = maxLeaf / 4
)

// node is a text kept as a balanced tree of pieces; nil is the empty text. Nodes never change:
// an edit makes new ones along its path and shares the rest.
//
// No leaf ends inside a character or between CR and LF. That makes an extent the plain sum of
// the extents of its parts. What split returns keeps the rule and that on lengths only when
// concat has put it together again.
type node struct {
	left, right *node  // nil in a leaf
	text        string // of a leaf, never empty
	extent      extent
	height      int // of a leaf: 0
}

// extent is the size of a piece of text in everything positions are counted in. A byte that
// belongs to no valid UTF-8 sequence counts as one character of one unit.
type extent struct {
	bytes, utf16, runes int
	lines               int // line ends: LF, CR LF, or CR alone
}

func (e extent) plus(f extent) extent {
	return extent{e.bytes + f.bytes, e.utf16 + f.utf16, e.runes + f.runes, e.lines + f.lines}
}

func measure(s string) extent {
	e := extent{bytes: len(s), runes: utf8.RuneCountInString(s), lines: countLineEnds(s)}
	e.utf16 = e.runes
	if e.runes == e.bytes {
		return e
	}
	for _, r := range s {
		if r > 0xFFFF {
			e.utf16++
		}
	}
	return e
}

func countLineEnds(s string) int {
	n := strings.Count(s, "\n")
	if cr := strings.Count(s, "\r"); cr > 0 {
		n += cr - strings.Count(s, "\r\n")
	}
	return n
}

// boundary returns the greatest offset up to i at which s may be cut: not inside a character and
// not between CR and LF.
func boundary(s string, i int) int {
	for j := i - 1; j >= max(i-utf8.UTFMax+1, 0); j-- {
		if !utf8.RuneStart(s[j]) {
			continue
		}
		if _, n := utf8.DecodeRuneInString(s[j:]); j+n > i {
			return j
		}
		break
	}
	if i > 0 && i < len(s) && s[i-1] == '\r' && s[i] == '\n' {
		return i - 1
	}
	return i
}

// separable reports whether a and b may be neighbouring leaves as far as their contents go.
func separable(a, b string) bool {
	a = a[max(len(a)-utf8.UTFMax+1, 0):]
	b = b[:min(len(b), utf8.UTFMax-1)]
	return boundary(a+b, len(a)) == len(a)
}

func leaf(s string) *node {
	if s == "" {
		return nil
	}
	return &node{text: s, extent: measure(s)}
}

// build makes a tree of s. Its leaves share the memory of s.
func build(s string) *node {
	if len(s) <= maxLeaf {
		return leaf(s)
	}
	i := boundary(s, len(s)/2)
	return join(build(s[:i]), build(s[i:]))
}

// branch makes a node of two trees whose heights differ by at most one.
func branch(l, r *node) *node {
	return &node{
		left: l, right: r,
		extent: l.extent.plus(r.extent),
		height: max(l.height, r.height) + 1,
	}
}

// join makes a balanced tree (AVL) of two, of any heights, leaving their leaves as they are.
func join(l, r *node) *node {
	switch {
	case l == nil:
		return r
	case r == nil:
		return l
	case l.height > r.height+1:
		return balance(l.left, join(l.right, r))
	case r.height > l.height+1:
		return balance(join(l, r.left), r.right)
	}
	return branch(l, r)
}

// balance is branch for heights that differ by up to two.
func balance(l, r *node) *node {
	switch {
	case l.height > r.height+1:
		if l.left.height >= l.right.height {
			return branch(l.left, branch(l.right, r))
		}
		return branch(branch(l.left, l.right.left), branch(l.right.right, r))
	case r.height > l.height+1:
		if r.right.height >= r.left.height {
			return branch(branch(l, r.left), r.right)
		}
		return branch(branch(l, r.left.left), branch(r.left.right, r.right))
	}
	return branch(l, r)
}

// concat joins two trees and mends the seam: where the leaves that meet are too short, or have a
// character or line end across them, they are made anew from their common text.
func concat(l, r *node) *node {
	if l == nil || r == nil {
		return join(l, r)
	}
	a, b := l.lastLeaf(), r.firstLeaf()
	if len(a) >= minLeaf && len(b) >= minLeaf && separable(a, b) {
		return join(l, r)
	}
	return concat(concat(l.dropLast(), build(a+b)), r.dropFirst())
}

// split returns the text before and from offset i, which may be anywhere from 0 to n's length.
func split(n *node, i int) (l, r *node) {
	switch {
	case n == nil:
		return nil, nil
	case n.left == nil:
		return leaf(n.text[:i]), leaf(n.text[i:])
	case i < n.left.extent.bytes:
		l, r = split(n.left, i)
		return l, join(r, n.right)
	}
	l, r = split(n.right, i-n.left.extent.bytes)
	return join(n.left, l), r
}

// replace returns n with s in place of the bytes from i up to j.
func replace(n *node, i, j int, s string) *node {
	l, r := split(n, i)
	_, r = split(r, j-i)
	return concat(concat(l, build(s)), r)
}

func (n *node) firstLeaf() string {
	for n.left != nil {
		n = n.left
	}
	return n.text
}

func (n *node) lastLeaf() string {
	for n.left != nil {
		n = n.right
	}
	return n.text
}

func (n *node) dropFirst() *node {
	if n.left == nil {
		return nil
	}
	return join(n.left.dropFirst(), n.right)
}

func (n *node) dropLast() *node {
	if n.left == nil {
		return nil
	}
	return join(n.left, n.right.dropLast())
}

// find descends to the leaf that goRight leads to: it is asked at each branch, with the extent
// before the branch's right side, whether to go there. find returns the leaf and the extent
// before it. n must not be nil.
func (n *node) find(goRight func(before extent) bool) (leaf string, before extent) {
	for n.left != nil {
		if right := before.plus(n.left.extent); goRight(right) {
			n, before = n.right, right
		} else {
			n = n.left
		}
	}
	return n.text, before
}

// appendTo writes the bytes from i up to j.
func (n *node) appendTo(b *strings.Builder, i, j int) {
	if n == nil || i >= j {
		return
	}
	if n.left == nil {
		b.WriteString(n.text[i:j])
		return
	}
	mid := n.left.extent.bytes
	n.left.appendTo(b, min(i, mid), min(j, mid))
	n.right.appendTo(b, max(i, mid)-mid, max(j, mid)-mid)
}
