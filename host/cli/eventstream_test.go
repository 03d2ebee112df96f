package cli

import (
	"slices"
	"testing"
)

func TestEvents(t *testing.T) {
	for _, tc := range []struct {
		name, stream string
		want         []string
	}{
		{"one", "event: message\nid: 1\ndata: {}\n\n", []string{"{}"}},
		{"several", "data: 1\n\ndata: 2\n\n", []string{"1", "2"}},
		{"several lines", "data: [\ndata: 1]\n\n", []string{"[\n1]"}},
		{"without the blank", "data:1\n\n", []string{"1"}},
		{"lines of CR LF", "data: 1\r\n\r\n", []string{"1"}},
		{"without data", "event: prime\ndata: \n\n: comment\n\n", nil},
		{"not complete", "data: 1\n\ndata: 2\n", []string{"1"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for size := 1; size <= len(tc.stream); size++ {
				var got []string
				e := events{message: func(data []byte) { got = append(got, string(data)) }}
				for part := range slices.Chunk([]byte(tc.stream), size) {
					e.add(part)
				}
				if !slices.Equal(got, tc.want) {
					t.Errorf("in parts of %d bytes: %q, want %q", size, got, tc.want)
				}
			}
		})
	}
}
