package debugger

import (
	"strings"
	"testing"
)

// A new value used to be evaluated in the innermost frame, where the names of the frame that the
// user looks at mean something else or nothing.
func TestSetVariableInItsFrame(t *testing.T) {
	s := prepare(t, Config{}, map[string]string{"main.star": "def inner(n):\n    return n\n" +
		"def outer(n):\n    xs = [[1], 2]\n    return inner(99)\nouter(10)\n"})
	s.run.SetBreakpoints("me", "main.star", []Breakpoint{{Line: 2}})
	s.start()
	s.stopped()
	frames, _, err := s.run.Frames(s.ctx(), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	scopes, err := s.run.Scopes(s.ctx(), frames[1].ID)
	if err != nil {
		t.Fatal(err)
	}
	locals, err := s.run.Variables(s.ctx(), scopes[0].Ref, Page{})
	if err != nil {
		t.Fatal(err)
	}
	xs := locals[1]
	inside, err := s.run.Variables(s.ctx(), xs.Ref, Page{})
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range []struct {
		ref         int
		name, value string
		want        string
	}{
		{xs.Ref, "[1]", "n", "10"},
		{inside[0].Ref, "[0]", "n + 1", "11"}, // what is inside a variable is of its frame, too
	} {
		v, err := s.run.SetVariable(s.ctx(), set.ref, set.name, set.value)
		wantText(t, set.value, v.Value+errOf(err), set.want)
	}
	v, err := s.run.SetExpression(s.ctx(), frames[1].ID, "(xs[0][0])", "n + 2")
	wantText(t, "in parentheses", v.Value+errOf(err), "12")
	e, err := s.run.Evaluate(s.ctx(), frames[1].ID, "xs", Watch)
	wantText(t, "xs", e.Value+errOf(err), "[[12], 10]")
}

// Of two keys that are shown alike, the first used to be set, whichever was meant.
func TestSetAmongKeysShownAlike(t *testing.T) {
	s := prepare(t, Config{}, map[string]string{
		"main.star": "k = 'k' * 300\nd = {k + 'a': 1, k + 'b': 2, 'c': 3}\nd\n",
	})
	s.run.SetBreakpoints("me", "main.star", []Breakpoint{{Line: 3}})
	s.start()
	s.stopped()
	d, err := s.run.Evaluate(s.ctx(), 0, "d", Watch)
	if err != nil {
		t.Fatal(err)
	}
	inside, err := s.run.Variables(s.ctx(), d.Ref, Page{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.run.SetVariable(s.ctx(), d.Ref, inside[1].Name, "5")
	if !strings.Contains(errOf(err), "more than one key") {
		t.Errorf("set to 5: %v", err)
	}
	v, err := s.run.SetVariable(s.ctx(), d.Ref, inside[2].Name, "6")
	wantText(t, "another key", v.Value+errOf(err), "6")
}
