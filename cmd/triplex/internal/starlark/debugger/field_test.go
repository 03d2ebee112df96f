package debugger

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// field is where the cases from the field are, seen from this folder.
const field = "../../../../../../shared/field/starlark"

// fieldChecks are the tests of what the cases expect of the debugger, by the id of the case.
var fieldChecks = map[string]func(*testing.T, map[string]string){
	"s01": checkLoadPrints,
	"s05": checkNestedLoads,
	"s07": checkRecursion,
	"s25": checkMacros,
	"s29": checkStopOnEntry,
	"s31": checkErrorInCall,
}

// TestField runs the cases from the field that are about debugging.
func TestField(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(field, "expected.json"))
	if err != nil {
		t.Skipf("no cases from the field: %v", err)
	}
	var expected struct {
		Cases []struct {
			ID, Title string
			Files     []string
		}
	}
	if err := json.Unmarshal(data, &expected); err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, c := range expected.Cases {
		check := fieldChecks[c.ID]
		if check == nil {
			continue
		}
		ran++
		t.Run(c.ID+" "+c.Title, func(t *testing.T) {
			files := make(map[string]string)
			for _, name := range c.Files {
				text, err := os.ReadFile(filepath.Join(field, name))
				if err != nil {
					t.Fatal(err)
				}
				files[name] = string(text)
			}
			check(t, files)
		})
	}
	if ran != len(fieldChecks) {
		t.Errorf("%d of %d cases are in the file", ran, len(fieldChecks))
	}
}

func fieldSession(t *testing.T, program string, files map[string]string, entry bool) *session {
	t.Helper()
	cfg := Config{Program: program, StopOnEntry: entry}
	cfg.Options = optionsOf("") // the default dialect
	return prepare(t, cfg, files)
}

func checkLoadPrints(t *testing.T, files map[string]string) {
	s := fieldSession(t, "s01_main.star", files, false)
	s.start()
	var got []Output
	for {
		ev, err := s.obs.Next(s.ctx())
		if err != nil {
			t.Fatal(err)
		}
		if out, ok := ev.(Output); ok {
			got = append(got, out)
		}
		if _, ok := ev.(Ended); ok {
			break
		}
	}
	want := []Output{
		{Stdout, "noise at load time\n", "s01_noisy.star", 1, 0},
		{Stdout, "hi\n", "s01_noisy.star", 5, 0},
	}
	if len(got) != len(want) {
		t.Fatalf("output %+v, want %+v", got, want)
	}
	for i := range got {
		got[i].Column = 0
		if got[i] != want[i] {
			t.Errorf("output %+v, want %+v", got[i], want[i])
		}
	}
}

func checkNestedLoads(t *testing.T, files map[string]string) {
	s := fieldSession(t, "s05_a.star", files, false)
	s.run.SetFilters("me", Filters{Uncaught: true})
	s.start()
	if stop := s.stopped(); stop.Reason != ReasonException {
		t.Errorf("stopped for %s", stop.Reason)
	}
	wantText(t, "stack", s.stack(), "f s05_c.star:4, <toplevel> s05_c.star:6, "+
		"<toplevel> s05_b.star:1, <toplevel> s05_a.star:1")
	wantText(t, "a global", s.eval("c"), "1")
	if _, err := s.run.StepInTargets(s.ctx()); err != nil {
		t.Error(err)
	}
	var loaded []string
	for _, m := range s.run.Modules() {
		loaded = append(loaded, fmt.Sprint(m.Path, " ", m.Main))
	}
	wantText(t, "modules", strings.Join(loaded, ", "),
		"s05_a.star true, s05_b.star false, s05_c.star false")
	wantText(t, "modules told", strings.Join(s.loaded, " "), "s05_a.star s05_b.star s05_c.star")
	s.resume(Continue)
	trace := s.ended().Backtrace
	for _, position := range []string{
		"s05_a.star:1", "s05_b.star:1", "s05_c.star:6", "s05_c.star:4",
	} {
		if !strings.Contains(trace, position) {
			t.Errorf("backtrace lacks %s:\n%s", position, trace)
		}
	}
}

func checkRecursion(t *testing.T, files map[string]string) {
	s := fieldSession(t, "s07_mutual.star", files, false)
	s.start()
	trace := s.ended().Backtrace
	for _, line := range []string{
		"star:10:2: in <toplevel>", "star:2:13: in a", "star:5:13: in b", "star:8:13: in c",
	} {
		before, after, found := strings.Cut(trace, line)
		if !found {
			t.Fatalf("backtrace lacks %s after\n%s", line, before)
		}
		trace = after
	}
}

func checkMacros(t *testing.T, files map[string]string) {
	s := fieldSession(t, "s25_macro_main.star", files, false)
	got := s.run.SetBreakpoints("me", "s25_macro_lib.star", []Breakpoint{{Line: 4}, {Line: 2}})
	if len(got) != 2 || !got[0].Verified || got[0].Line != 5 || got[1].Line != 2 {
		t.Errorf("breakpoints at %+v, want lines 5 and 2", got)
	}
	got = s.run.SetBreakpoints("me", "s25_macro_main.star", []Breakpoint{{Line: 5}})
	if !got[0].Verified || got[0].Line != 7 {
		t.Errorf("breakpoint at %+v, want line 7", got)
	}
	s.run.SetBreakpoints("me", "s25_macro_main.star", nil)
	s.run.SetBreakpoints("me", "s25_macro_lib.star", []Breakpoint{{Line: 2}})
	s.start()
	for _, want := range []string{
		"macro s25_macro_lib.star:2, <toplevel> s25_macro_lib.star:7, " +
			"<toplevel> s25_macro_main.star:1",
		"macro s25_macro_lib.star:2, <toplevel> s25_macro_main.star:3",
		"macro s25_macro_lib.star:2, <toplevel> s25_macro_main.star:7",
	} {
		s.stopped()
		wantText(t, "stack", s.stack(), want)
		s.resume(Continue)
	}
	s.ended()
}

func checkStopOnEntry(t *testing.T, files map[string]string) {
	s := fieldSession(t, "s29_stop_on_entry.star", files, true)
	got := s.run.SetBreakpoints("me", "s29_stop_on_entry.star", []Breakpoint{{Line: 2}})
	if !got[0].Verified {
		t.Errorf("breakpoint %+v is not verified at once", got[0])
	}
	s.start()
	wantText(t, "first stop", s.stopped().place(), "s29_stop_on_entry.star:1:1 entry")
	s.resume(StepOver)
	wantText(t, "second stop", s.stopped().place(), "s29_stop_on_entry.star:2:1 breakpoint")
	s.resume(Continue)
	s.ended()
}

func checkErrorInCall(t *testing.T, files map[string]string) {
	const message = "format: nested replacement fields not supported"
	s := fieldSession(t, "s31_runtime_error.star", files, false)
	s.run.SetFilters("me", Filters{Uncaught: true})
	s.start()
	stop := s.stopped()
	wantText(t, "stop", stop.place(), "s31_runtime_error.star:2:28 exception")
	wantText(t, "text", stop.Text, message)
	frames, _, err := s.run.Frames(s.ctx(), 0, 1)
	if err != nil || frames[0].Name != "fmt" || frames[0].Column != 28 {
		t.Errorf("top frame %+v, %v", frames, err)
	}
	if x, err := s.run.Exception(s.ctx()); err != nil || x.Message != message {
		t.Errorf("exception %+v, %v", x, err)
	}
	s.resume(Continue)
	if result := s.ended(); result.ExitCode != 1 || !strings.Contains(result.Backtrace, message) {
		t.Errorf("ended with %+v", result)
	}
}
