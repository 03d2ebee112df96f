package debugger

import (
	"strings"
	"testing"
)

const calls = `def add(a, b):
    "Adds."
    c = a + b
    return c

def twice(x):
    y = add(x, x)
    return y

z = twice(2) + add(1, 1)
for i in range(2):
    pass
print(z)
`

func TestSteps(t *testing.T) {
	for _, test := range []struct {
		name string
		move Move
		want string
	}{
		{"in", StepIn, "1 6 10 7 3 4 8 3 4 11 12 12 13"},
		{"over", StepOver, "1 6 10 11 12 12 13"},
		{"out", StepOut, "1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := prepare(t, Config{StopOnEntry: true}, map[string]string{"main.star": calls})
			s.start()
			places, result := s.steps(test.move)
			got := strings.ReplaceAll(strings.Join(places, " "), "main.star:", "")
			wantText(t, "lines", got, test.want)
			wantText(t, "output", s.output.String(), "6\n")
			if result.Err != nil {
				t.Error(result.Err)
			}
		})
	}
}
