package debugger

import (
	"strings"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// frozen is a module whose globals refer to values that can change in all ways. The functions that
// refer to themselves used to end the process when the module had run, and to freeze the tuple
// would have taken for ever.
const frozen = `
def make():
    inside = []
    def f(x = []):
        return f, x, inside
    return f

f = make()
l = [[], make()]
l.append(l)
d = {("key", make()): {"value": []}}
s = set([make()])
p = struct(field = [], own = make())
append = [].append
shared = ([],)
for _ in range(100):
    shared = (shared, shared)
first = shared
for _ in range(100):
    first = first[0]
`

// TestFreeze changes what another module has made.
func TestFreeze(t *testing.T) {
	env := starlark.StringDict{"struct": starlark.NewBuiltin("struct", starlarkstruct.Make)}
	for _, change := range []string{
		"l.append(1)", "l[0].append(1)", "d['x'] = 1", "d.values()[0]['x'] = 1",
		"d.values()[0]['value'].append(1)", "d.keys()[0][1]()[1].append(1)", "s.add(1)",
		"list(s)[0]()[2].append(1)", "p.field.append(1)", "p.own()[2].append(1)", "f()[1].append(1)",
		"f()[2].append(1)", "append(1)", "first[0].append(1)",
	} {
		for _, plain := range []bool{true, false} {
			s := prepare(t, Config{NoDebug: plain, Predeclared: env}, map[string]string{
				"lib.star": frozen,
				"main.star": "load('lib.star', 'append', 'd', 'f', 'first', 'l', 'p', 's')\n" +
					change + "\n",
			})
			s.start()
			if got := errOf(s.ended().Err); !strings.Contains(got, "frozen") {
				t.Errorf("%s: %q, want that it is frozen", change, got)
			}
		}
	}
}
