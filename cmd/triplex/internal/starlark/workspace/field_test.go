package workspace

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// fieldDir holds files and expectations taken from public reports about Starlark servers.
const fieldDir = "../../../../../../shared/field/starlark"

// A fieldRange has 0-based lines and UTF-16 columns, which for all but one case are bytes.
type fieldRange struct {
	Start, End struct{ Line, Character int }
}

type fieldCase struct {
	ID     string
	Title  string
	Files  []string
	Checks []struct {
		Do     string
		File   string
		At     *struct{ Line, Character int }
		Expect json.RawMessage
		Names  []string `json:"expect_names_include"`
		AtMost int      `json:"at_most"`
	}
}

// fieldProblem is an expected problem: of a range, or of a start only.
type fieldProblem struct {
	Severity string
	Range    *fieldRange
	Start    *struct{ Line, Character int }
	Hint     string `json:"message_hint"`
	Optional bool
}

func fieldView(t *testing.T) *View {
	dir, err := filepath.Abs(fieldDir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the shared field cases are not there")
	}
	return view(t, Options{Roots: []string{dir}})
}

func fieldFile(t *testing.T, v *View, name string) *File {
	return open(t, v, filepath.Join(v.settings().roots[0], name))
}

// TestField makes a subtest of every check that a machine can read and that concerns one file:
// problems, definitions and names of symbols. Those in prose follow in TestFieldProse; the rest
// needs a debugger or a protocol.
func TestField(t *testing.T) {
	v := fieldView(t)
	content, err := os.ReadFile(filepath.Join(fieldDir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ Cases []fieldCase }
	if err := json.Unmarshal(content, &doc); err != nil {
		t.Fatal(err)
	}
	for _, c := range doc.Cases {
		for i, check := range c.Checks {
			name := fmt.Sprintf("%s %s %d %s", c.ID, c.Title, i, check.Do)
			file := check.File
			if file == "" {
				file = c.Files[0]
			}
			var problems []fieldProblem
			var locations []struct {
				File  string
				Range fieldRange
			}
			switch {
			case strings.HasPrefix(check.Do, "didOpen"), check.Do == "diagnostics",
				strings.Contains(check.Do, "the server picks utf-8"):
				if json.Unmarshal(check.Expect, &problems) == nil {
					t.Run(name, func(t *testing.T) {
						compareProblems(t, fieldFile(t, v, file), problems)
					})
				}
			case check.Do == "definition" && json.Unmarshal(check.Expect, &locations) == nil:
				t.Run(name, func(t *testing.T) {
					f := fieldFile(t, v, file)
					pos := source.Position{Line: check.At.Line, Col: check.At.Character}
					want := fmt.Sprintf("%s %d:%d-%d:%d", locations[0].File,
						locations[0].Range.Start.Line, locations[0].Range.Start.Character,
						locations[0].Range.End.Line, locations[0].Range.End.Character)
					if got := showAt(f.Definition(f.Text().Offset(pos))); got != want {
						t.Errorf("definition = %s, want %s", got, want)
					}
				})
			case check.Names != nil:
				t.Run(name, func(t *testing.T) {
					got := symbolNames(fieldFile(t, v, file).Symbols())
					for _, want := range check.Names {
						if !slices.Contains(got, want) {
							t.Errorf("symbols = %v, want %s among them", got, want)
						}
					}
				})
			}
		}
	}
}

// compareProblems compares the errors and warnings of a file; hints are never required.
func compareProblems(t *testing.T, f *File, want []fieldProblem) {
	t.Helper()
	got, err := f.Problems(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got = slices.DeleteFunc(got, func(p Problem) bool { return p.Severity == Hint })
	for _, w := range want {
		i := slices.IndexFunc(got, func(p Problem) bool {
			start := f.Text().Position(p.Span.Start)
			if w.Range == nil {
				return start.Line == w.Start.Line && start.Col == w.Start.Character
			}
			return show(f.Text(), p.Span) == fmt.Sprintf("%d:%d-%d:%d", w.Range.Start.Line,
				w.Range.Start.Character, w.Range.End.Line, w.Range.End.Character)
		})
		if i < 0 && !w.Optional {
			t.Errorf("no problem at %+v %+v; there are %v", w.Range, w.Start, got)
		}
		if i < 0 {
			continue
		}
		hint := strings.TrimPrefix(w.Hint, "undefined: ")
		if got[i].Severity != Error || !strings.Contains(got[i].Msg, hint) {
			t.Errorf("problem = %v, want an error with %q", got[i], w.Hint)
		}
		got = slices.Delete(got, i, i+1)
	}
	if len(got) > 0 {
		t.Errorf("unexpected problems: %v", got)
	}
}

func symbolNames(symbols []Symbol) []string {
	var names []string
	for _, s := range symbols {
		names = append(names, s.Name)
	}
	return names
}

// TestFieldProse makes the checks that the cases describe in words.
func TestFieldProse(t *testing.T) {
	v := fieldView(t)
	offset := func(f *File, line, col int) int {
		return f.Text().Offset(source.Position{Line: line, Col: col})
	}
	t.Run("s11 hover on a load item", func(t *testing.T) {
		f := fieldFile(t, v, "s11_main.star")
		h := f.Hover(offset(f, 0, 23))
		if h == nil || !strings.Contains(h.Code, "helper(n)") || h.Doc != "Doubles n." {
			t.Errorf("hover = %+v", h)
		}
	})
	t.Run("s11 definition of the module", func(t *testing.T) {
		f := fieldFile(t, v, "s11_main.star")
		if got := showAt(f.Definition(offset(f, 0, 7))); got != "s11_lib.star 0:0-0:0" {
			t.Errorf("definition = %s", got)
		}
	})
	t.Run("s11 rename of a name that is loaded under another", func(t *testing.T) {
		f := fieldFile(t, v, "s11_lib.star")
		checkRename(t, f, offset(f, 4, 5), "helper3",
			"s11_lib.star 4:4-4:11, s11_main.star 0:40-0:47")
	})
	t.Run("s11 rename at the use of a loaded name", func(t *testing.T) {
		f := fieldFile(t, v, "s11_main.star")
		checkRename(t, f, offset(f, 2, 1), "assist",
			"s11_lib.star 0:4-0:10, s11_main.star 0:22-0:28, s11_main.star 2:0-2:6, "+
				"s21_late_load.star 1:22-1:28, s21_late_load.star 2:0-2:6")
	})
	t.Run("s11 references", func(t *testing.T) {
		f := fieldFile(t, v, "s11_lib.star")
		refs, err := f.References(t.Context(), offset(f, 0, 5))
		if err != nil {
			t.Fatal(err)
		}
		var locations []Location
		for _, ref := range refs {
			locations = append(locations, ref.Location)
		}
		want := "s11_lib.star 0:4-0:10, s11_main.star 0:22-0:28, s11_main.star 2:0-2:6, " +
			"s21_late_load.star 1:22-1:28, s21_late_load.star 2:0-2:6"
		if got := showAt(locations); got != want {
			t.Errorf("references = %s, want %s", got, want)
		}
	})
	t.Run("s13 hover shows the whole documentation", func(t *testing.T) {
		f := fieldFile(t, v, "s13_hover_doc.star")
		h := f.Hover(offset(f, 15, 0))
		if h == nil || h.Code != `def copy(src, dst, *, mode = "0644", **kwargs)` {
			t.Fatalf("hover = %+v", h)
		}
		for _, want := range []string{"Copies a file.\n\nLonger text, second paragraph.\n\nArgs:\n" +
			"  src: where from.", "Returns:\n  The destination path."} {
			if !strings.Contains(h.Doc, want) {
				t.Errorf("documentation = %q, want %q in it", h.Doc, want)
			}
		}
		h = f.Hover(offset(f, 0, 22))
		if h == nil || h.Kind != "parameter" || h.Doc != "octal string." {
			t.Errorf("hover of the parameter = %+v", h)
		}
	})
	t.Run("s15 symbols", func(t *testing.T) {
		f := fieldFile(t, v, "s15_symbols.star")
		symbols := f.Symbols()
		if got := fmt.Sprint(symbolNames(symbols)); got != "[X A B C outer if_true]" {
			t.Fatalf("symbols = %s", got)
		}
		outer := symbols[4]
		if outer.Kind != FunctionSymbol || show(f.Text(), outer.Span) != "5:0-9:16" ||
			show(f.Text(), outer.NameSpan) != "5:4-5:9" ||
			fmt.Sprint(symbolNames(outer.Children)) != "[inner]" {
			t.Errorf("outer = %+v", outer)
		}
		for _, s := range symbols {
			if !s.Span.Covers(s.NameSpan) {
				t.Errorf("the name of %s is outside of it", s.Name)
			}
		}
	})
	t.Run("s19 hover beyond the BMP", func(t *testing.T) {
		f := fieldFile(t, v, "s19_utf16.star")
		if h := f.Hover(offset(f, 2, 4)); h == nil || h.Code != "def π(x)" {
			t.Errorf("hover = %+v", h)
		}
	})
	t.Run("s35 rename of a shadowed global", func(t *testing.T) {
		f := fieldFile(t, v, "s35_shadow.star")
		checkRename(t, f, 0, "z", "s35_shadow.star 0:0-0:1, s35_shadow.star 6:2-6:3")
		for _, name := range []string{"for", "1x", "f", "import", "", "x y"} {
			if edits, err := f.Rename(t.Context(), 0, name); err == nil {
				t.Errorf("rename to %q = %v, want an error", name, edits)
			}
		}
	})
	t.Run("s37 unused names are hints", func(t *testing.T) {
		problems, err := fieldFile(t, v, "s37_unused_args.star").Problems(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range problems {
			if p.Severity != Hint || !p.Unnecessary ||
				!strings.Contains("the parameter c is not used, d is not used", p.Msg) {
				t.Errorf("problem = %+v", p)
			}
		}
	})
	t.Run("no lint in clean files", func(t *testing.T) {
		for _, name := range []string{"s01_main.star", "s21_late_load.star", "s23_index_any.star"} {
			if got, err := fieldFile(t, v, name).Lint(t.Context()); err != nil || len(got) > 0 {
				t.Errorf("lint of %s = %v, %v", name, got, err)
			}
		}
	})
}

// checkRename compares the places that a rename changes.
func checkRename(t *testing.T, f *File, off int, name, want string) {
	t.Helper()
	edits, err := f.Rename(t.Context(), off, name)
	if err != nil {
		t.Fatal(err)
	}
	var locations []Location
	for _, file := range edits {
		for _, e := range file.Edits {
			if e.New != name {
				t.Errorf("edit = %q, want %q", e.New, name)
			}
			locations = append(locations, Location{file.Name, file.Text, e.Span})
		}
	}
	slices.SortFunc(locations, func(a, b Location) int {
		return strings.Compare(a.Name+show(a.Text, a.Span), b.Name+show(b.Text, b.Span))
	})
	if got := showAt(locations); got != want {
		t.Errorf("rename changes %s, want %s", got, want)
	}
}
