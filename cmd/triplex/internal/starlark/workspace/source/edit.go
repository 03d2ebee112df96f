package source

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// An Edit replaces the bytes of a span by new text.
type Edit struct {
	Span
	New string
}

// Apply returns the content with all edits made; their spans refer to the content as given. It
// fails, naming the place, when edits overlap or reach outside the content. Insertions at one
// offset are made in the order given.
func Apply(content string, edits []Edit) (string, error) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) })
	var b strings.Builder
	done := 0
	for _, e := range edits {
		if e.Start < done || e.End < e.Start || e.End > len(content) {
			return "", fmt.Errorf("edit of bytes %d to %d overlaps another or is outside the text",
				e.Start, e.End)
		}
		b.WriteString(content[done:e.Start])
		b.WriteString(e.New)
		done = e.End
	}
	b.WriteString(content[done:])
	return b.String(), nil
}

// Diff returns edits of whole lines that turn one text into the other, or one edit of everything
// between the first and the last differing line when the texts differ too much to be compared.
func Diff(before, after string) []Edit {
	a, b := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	lead := 0
	for lead < len(a) && lead < len(b) && a[lead] == b[lead] {
		lead++
	}
	trail := 0
	for trail < len(a)-lead && trail < len(b)-lead && a[len(a)-1-trail] == b[len(b)-1-trail] {
		trail++
	}
	start := 0
	for _, line := range a[:lead] {
		start += len(line)
	}
	return hunks(a[lead:len(a)-trail], b[lead:len(b)-trail], start)
}

// maxDiffCells bounds the table of the longest common subsequence: 4 MiB of it.
const maxDiffCells = 1 << 20

// hunks compares lines and returns the edits, where a begins at the offset start.
func hunks(a, b []string, start int) []Edit {
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	after := strings.Join(b, "")
	if len(a)*len(b) > maxDiffCells {
		return []Edit{{Span{start, start + len(strings.Join(a, ""))}, after}}
	}
	common := commonLengths(a, b)
	var edits []Edit
	open := false    // the last edit ends where the walk is: extend it
	from, to := 0, 0 // where in after the last edit begins, and where the walk is
	for i, j := 0, 0; i < len(a) || j < len(b); {
		if i < len(a) && j < len(b) && a[i] == b[j] {
			start, to = start+len(a[i]), to+len(b[j])
			i, j, open = i+1, j+1, false
			continue
		}
		if !open {
			edits, open, from = append(edits, Edit{Span: Span{start, start}}), true, to
		}
		e := &edits[len(edits)-1]
		if j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1] {
			start += len(a[i])
			e.End = start
			i++
		} else {
			to += len(b[j])
			e.New = after[from:to]
			j++
		}
	}
	return edits
}

// commonLengths returns the table of the lengths of the longest common subsequences of all pairs
// of tails of a and b.
func commonLengths(a, b []string) [][]int32 {
	table := make([][]int32, len(a)+1)
	cells := make([]int32, (len(a)+1)*(len(b)+1))
	for i := range table {
		table[i] = cells[i*(len(b)+1) : (i+1)*(len(b)+1)]
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	return table
}
