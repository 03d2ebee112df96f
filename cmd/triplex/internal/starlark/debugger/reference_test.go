package debugger

import "testing"

func TestReferencesEnd(t *testing.T) {
	s := stopInside(t)
	vars, ref := s.scope(0, "Globals")
	frames, _, _ := s.run.Frames(s.ctx(), 0, 0)
	watched, err := s.run.Evaluate(s.ctx(), 0, "numbers", Watch)
	if err != nil {
		t.Fatal(err)
	}
	s.resume(StepOver)
	s.stopped()
	for _, old := range []int{ref, named(t, vars, "numbers").Ref, watched.Ref, 0, -1} {
		if _, err := s.run.Variables(s.ctx(), old, Page{}); err == nil {
			t.Errorf("reference %d outlives its stop", old)
		}
	}
	if _, err := s.run.Scopes(s.ctx(), frames[0].ID); err == nil {
		t.Error("a frame outlives its stop")
	}
}

// What stands in a debug console is looked into later, too. The references to it used to end with
// the stop at which it was evaluated.
func TestReferencesLast(t *testing.T) {
	s := stopInside(t)
	result, err := s.run.Evaluate(s.ctx(), 0, "nested", Repl)
	if err != nil {
		t.Fatal(err)
	}
	list := named(t, s.variables(result.Ref, Page{}), `"a"`)
	look := func(when, want string) {
		t.Helper()
		wantText(t, "inside the result "+when, show(s.variables(list.Ref, Page{})), want)
		again := named(t, s.variables(result.Ref, Page{}), `"a"`)
		wantText(t, "inside of it "+when, show(s.variables(again.Ref, Page{})), want)
	}
	look("at once", "[0]=1 [1]=2")
	s.resume(StepOver)
	s.stopped()
	v, err := s.run.SetVariable(s.ctx(), list.Ref, "[0]", "[7]")
	if err != nil {
		t.Fatal(err)
	}
	look("after a step", "[0]=[7] [1]=2")
	if err := s.run.Restart(); err != nil {
		t.Fatal(err)
	}
	s.next()
	s.stopped()
	look("after a restart", "[0]=[7] [1]=2")
	wantText(t, "what was set", show(s.variables(v.Ref, Page{})), "[0]=7")
	if _, err := s.run.Variables(s.ctx(), firstLasting+1000, Page{}); err == nil {
		t.Error("a reference that was never given out refers to something")
	}
}
