package builtin

import (
	"slices"
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"triplex/cmd/triplex/internal/starlark/workspace/signature"
)

// receivers holds a value of each type with methods.
var receivers = map[string]starlark.HasAttrs{
	"bytes":  starlark.Bytes(""),
	"dict":   starlark.NewDict(0),
	"list":   starlark.NewList(nil),
	"set":    starlark.NewSet(0),
	"string": starlark.String(""),
}

func names(symbols []*Symbol) []string {
	var list []string
	for _, s := range symbols {
		list = append(list, s.Name)
	}
	return list
}

func TestTableIsComplete(t *testing.T) {
	universe := starlark.Universe.Keys()
	slices.Sort(universe)
	if got := names(Universe()); !slices.Equal(got, universe) {
		t.Errorf("universe = %v, want %v", got, universe)
	}
	for typ, value := range receivers {
		if got := names(Methods(typ)); !slices.Equal(got, value.AttrNames()) {
			t.Errorf("methods of %s = %v, want %v", typ, got, value.AttrNames())
		}
	}
}

// TestSignatures calls every function with one argument more than its signature takes, with one
// less than it needs, and by name: the interpreter must complain about that, and only about that.
func TestSignatures(t *testing.T) {
	for _, s := range Universe() {
		if fn, ok := starlark.Universe[s.Name].(starlark.Callable); ok {
			t.Run(s.Name, func(t *testing.T) { testSignature(t, s.Sig, fn) })
		}
	}
	for typ, value := range receivers {
		for _, s := range Methods(typ) {
			method, err := value.Attr(s.Name)
			if err != nil {
				t.Fatal(err)
			}
			t.Run(typ+"."+s.Name, func(t *testing.T) {
				testSignature(t, s.Sig, method.(starlark.Callable))
			})
		}
	}
}

func testSignature(t *testing.T, sig *signature.Signature, fn starlark.Callable) {
	call := func(n int, kwargs ...starlark.Tuple) (msg string) {
		// Some methods of sets panic when called without arguments.
		defer func() {
			if recover() != nil {
				msg = "argument missing"
			}
		}()
		args := make(starlark.Tuple, n)
		for i := range args {
			args[i] = starlark.None
		}
		thread := &starlark.Thread{Print: func(*starlark.Thread, string) {}}
		if _, err := starlark.Call(thread, fn, args, kwargs); err != nil {
			return err.Error()
		}
		return ""
	}
	complains := func(msg string) bool {
		return strings.Contains(msg, "argument") && !strings.Contains(msg, "for parameter")
	}
	least, most := 0, 0
	for _, p := range sig.Params {
		if p.Kind <= signature.Normal {
			most++
			if p.Required() {
				least++
			}
		}
	}
	if sig.At(most) < 0 && !complains(call(most+1)) {
		t.Errorf("%d arguments are accepted by %s", most+1, sig)
	}
	if least > 0 && !complains(call(least-1)) {
		t.Errorf("%d arguments are accepted by %s", least-1, sig)
	}
	for n := least; n <= most; n++ {
		if msg := call(n); complains(msg) && strings.Contains(msg, "got") {
			t.Errorf("%d arguments are refused by %s: %s", n, sig, msg)
		}
	}
	for _, p := range sig.Params {
		named := starlark.Tuple{starlark.String(p.Name), starlark.None}
		refused := strings.Contains(call(least, named), "keyword argument")
		if p.Kind == signature.Positional && sig.Named("") < 0 && !refused {
			t.Errorf("%s is accepted by name in %s", p.Name, sig)
		}
		if p.Kind == signature.KeywordOnly && refused {
			t.Errorf("%s is refused by name in %s", p.Name, sig)
		}
	}
}
