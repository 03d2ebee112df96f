package debugger

import (
	"strings"
	"testing"
)

// panicking is an expression at which starlark-go itself panics.
const panicking = "set().difference()"

// A panic while an expression was evaluated used to reach the goroutine of the client that asked,
// and one in a condition ended the program.
func TestPanicsOfBuiltinsAreErrors(t *testing.T) {
	t.Run("program", func(t *testing.T) {
		s := prepare(t, Config{}, map[string]string{"main.star": panicking + "\n"})
		s.start()
		if r := s.ended(); r.Err == nil || !strings.Contains(r.Err.Error(), "panic") {
			t.Errorf("ended with %v", r.Err)
		}
	})
	t.Run("evaluation", func(t *testing.T) {
		s := prepare(t, Config{StopOnEntry: true}, map[string]string{"main.star": "x = 1\ny = 2\n"})
		s.start()
		s.stopped()
		for _, purpose := range []Purpose{Watch, Clipboard, Repl} {
			_, err := s.run.Evaluate(s.ctx(), 0, panicking, purpose)
			if err == nil || !strings.Contains(err.Error(), "panic") {
				t.Errorf("purpose %v: %v", purpose, err)
			}
		}
		if e, err := s.run.Evaluate(s.ctx(), 0, "1 + 1", Watch); err != nil || e.Value != "2" {
			t.Errorf("afterwards: %v, %v", e, err)
		}
	})
	t.Run("condition", func(t *testing.T) {
		s := prepare(t, Config{}, map[string]string{"main.star": "x = 1\ny = 2\n"})
		s.run.SetBreakpoints("me", "main.star", []Breakpoint{
			{Line: 1, Conditions: Conditions{Condition: panicking}}, {Line: 2},
		})
		s.start()
		if stop := s.stopped(); stop.Line != 2 {
			t.Errorf("stopped in line %d", stop.Line)
		}
		const want = "breakpoint at main.star:1: condition: panic in a built-in function"
		if len(s.said) != 1 || !strings.HasPrefix(s.said[0].Text, want) {
			t.Errorf("the user was told %v", s.said)
		}
	})
}

func TestGlobals(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"to the end", "x = [1]\ndef f(): pass\n", "f x"},
		{"as far as it came", "x = 1\nfail('no')\ny = 2\n", "x"},
		{"none", "x =\n", ""},
	} {
		for _, plain := range []bool{false, true} {
			s := prepare(t, Config{NoDebug: plain}, map[string]string{"main.star": c.text})
			if s.run.Globals() != nil {
				t.Error("there are globals before the start")
			}
			s.start()
			s.ended()
			if got := strings.Join(s.run.Globals().Keys(), " "); got != c.want {
				t.Errorf("%s: %q, want %q", c.name, got, c.want)
			}
		}
	}
}

func TestPreview(t *testing.T) {
	s := prepare(t, Config{}, map[string]string{"main.star": "x = list(range(1000000))\n"})
	s.start()
	s.ended()
	if got := Preview(s.run.Globals()["x"], 10); got != "[0, 1, 2, …" {
		t.Errorf("%q", got)
	}
}

// What was copied to the clipboard used to end nine levels deep, and at integers of 5000 digits.
func TestLongPreviewsAreWhole(t *testing.T) {
	s := prepare(t, Config{}, map[string]string{
		"main.star": "x = int('7' * 5000)\nfor _ in range(500): x = [x]\nprint(x)\n",
	})
	s.start()
	s.ended()
	wantText(t, "value", Preview(s.run.Globals()["x"], maxClipboard)+"\n", s.output.String())
}

// What contains itself used to be written again and again, as deep as a preview goes.
func TestPreviewOfCycles(t *testing.T) {
	s := prepare(t, Config{}, map[string]string{
		"main.star": "x = [1]\nx.append(x)\nd = {'x': x}\nd['d'] = (d, d)\nprint(x, d)\n",
	})
	s.start()
	s.ended()
	globals := s.run.Globals()
	text := Preview(globals["x"], 100) + " " + Preview(globals["d"], 100) + "\n"
	wantText(t, "as the program writes them", text, s.output.String())
}
