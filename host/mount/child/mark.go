package child

import (
	"crypto/rand"
	"strings"
)

// markVariable is the environment variable that holds the marks of a child and of all that a host
// started above it. It tells what descends from a child when its guard is gone.
const markVariable = "TRIPLEX_CHILD"

// addMark returns env with a new mark added, and the mark. Marks of other guards stay: a child may
// be a host itself.
func addMark(env []string) (marked []string, mark string) {
	mark = rand.Text()
	marks := mark
	for _, entry := range env {
		if others, ok := strings.CutPrefix(entry, markVariable+"="); ok {
			marks = others + " " + mark
		}
	}
	return append(env, markVariable+"="+marks), mark
}
