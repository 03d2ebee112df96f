package mcpface

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"triplex/cmd/triplex/internal/starlark/workspace"
)

var library = map[string]string{
	"lib.star": "\"\"\"About lib.\"\"\"\n\ndef greet(name):\n    \"\"\"Greets.\"\"\"\n" +
		"    def inner():\n        return name\n    return inner()\n\nLIMIT = 3\n",
	"main.star": "load(\"lib.star\", \"greet\", \"LIMIT\")\n\n" +
		"x = greet(\"é😀\") + greet(name = \"b\")\n",
	"sub/dup.star":  "def twice(): pass\n",
	"sub/dup2.star": "def twice(): pass\n",
}

func TestCheck(t *testing.T) {
	eachEra(t, library, func(t *testing.T, a *agent) {
		out := invoke[checkOut](a, "starlark_check", args{"file": "main.star"})
		if len(out.Problems) != 1 || out.Problems[0].Code != "unused-load" ||
			out.Problems[0].Severity != "warning" || out.Problems[0].Range != (Range{1, 28, 1, 33}) ||
			len(out.Problems[0].Fixes) != 1 {
			t.Errorf("%+v", out)
		}
		text := "def f():\n\treturn\n\tprint(1)\nx = é(\n"
		out = invoke[checkOut](a, "starlark_check", args{"source": text})
		var codes []string
		for _, p := range out.Problems {
			codes = append(codes, p.Code)
		}
		if got := strings.Join(codes, " "); !strings.Contains(got, "syntax") ||
			!strings.Contains(got, "unreachable") {
			t.Errorf("problems %s", got)
		}
	})
}

func TestCheckSeesWhatAnEditorSees(t *testing.T) {
	b := newBench(t, map[string]string{"BUILD": "x = glob()\n"})
	a := b.agent(false, nil)
	editor, err := b.workspace.View(workspace.Options{
		Roots: []string{b.dir}, Predeclared: []string{"glob(include)"},
	})
	if err != nil {
		t.Fatal(err)
	}
	problems := func() (list []string) {
		for _, p := range invoke[checkOut](a, "starlark_check", args{"file": "BUILD"}).Problems {
			list = append(list, p.Message)
		}
		return list
	}
	if got := fmt.Sprint(problems()); !strings.Contains(got, "glob needs the argument include") {
		t.Errorf("settings of the editor: %s", got)
	}
	editor.Open(b.path("BUILD"), "y = unsaved\n")
	if got := fmt.Sprint(problems()); !strings.Contains(got, "undefined: unsaved") {
		t.Errorf("text of the editor: %s", got)
	}
	editor.Release()
	if got := fmt.Sprint(problems()); !strings.Contains(got, "undefined: glob") {
		t.Errorf("without the editor: %s", got)
	}
}

func TestFormat(t *testing.T) {
	a := newBench(t, map[string]string{"a.star": "x=[1,2]\n"}).agent(false, nil)
	out := invoke[formatOut](a, "starlark_format", args{"file": "a.star"})
	if out.Text != "x = [1, 2]\n" || !out.Changed || a.read("a.star") != "x=[1,2]\n" {
		t.Errorf("%+v", out)
	}
	if out := invoke[formatOut](a, "starlark_format", args{"source": "x = 1\n"}); out.Changed {
		t.Errorf("%+v", out)
	}
	a.failsWith(codeSyntax, "starlark_format", args{"source": "x = (\n"})
	large := strings.Repeat("x = 1\n", maxText/6+1)
	a.failsWith(codeTooLarge, "starlark_format", args{"source": large})
}

func TestSymbols(t *testing.T) {
	a := newBench(t, library).agent(true, nil)
	show := func(in args) string {
		var list []string
		for _, s := range invoke[symbolsOut](a, "starlark_symbols", in).Symbols {
			list = append(list, strings.Trim(fmt.Sprint(s.Container, ".", s.Name, " ", s.Kind, " ",
				filepath.Base(s.File), ":", s.Line), "."))
		}
		return strings.Join(list, ", ")
	}
	want := "greet function lib.star:3, greet.inner function lib.star:5, LIMIT constant lib.star:9"
	if got := show(args{"file": "lib.star"}); got != want {
		t.Errorf("of the file: %s", got)
	}
	if got := show(args{"query": "grt"}); got != "greet function lib.star:3" {
		t.Errorf("of a query: %s", got)
	}
	a.failsWith(codeArguments, "starlark_symbols", args{"query": "x", "file": "lib.star"})
}

// Lists are cut, and say so.
func TestListsAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "def f%d(): return undefined%d\n", i, i)
	}
	fmt.Fprintf(&b, "y = 1\nx = [%s]\n", strings.Repeat("y, ", 1000))
	a := newBench(t, map[string]string{"a.star": b.String()}).agent(false, nil)
	in := args{"file": "a.star"}
	if out := invoke[symbolsOut](a, "starlark_symbols", in); len(out.Symbols) != maxSymbols ||
		out.Omitted != 1002-maxSymbols {
		t.Errorf("%d symbols, %d omitted", len(out.Symbols), out.Omitted)
	}
	if out := invoke[checkOut](a, "starlark_check", in); len(out.Problems) != maxProblems ||
		out.Omitted < 800 {
		t.Errorf("%d problems, %d omitted", len(out.Problems), out.Omitted)
	}
	refs := invoke[referencesOut](a, "starlark_references", args{"file": "a.star", "symbol": "y"})
	if len(refs.References) != maxReferences || refs.Omitted != 1001-maxReferences {
		t.Errorf("%d references, %d omitted", len(refs.References), refs.Omitted)
	}
	source := strings.ReplaceAll(b.String(), "undefined", "len or ")
	source = source[:strings.LastIndex(source, "y =")]
	run := invoke[runOut](a, "starlark_run", args{"source": source})
	if len(run.Globals) != maxVariables || run.GlobalsOmitted != 1000-maxVariables {
		t.Errorf("%d globals, %d omitted", len(run.Globals), run.GlobalsOmitted)
	}
	// Each was short enough, all of them were not.
	long := regexp.MustCompile(`def (f\d+).*`).ReplaceAllString(source, "$1 = 'x' * 5000")
	res := a.result("starlark_run", args{"source": long})
	if n := len(decode[runOut](a, res).Globals); n != maxVariables || len(text(res)) > 2*maxResult {
		t.Errorf("%d globals in %d bytes", n, len(text(res)))
	}
}

func TestDefinition(t *testing.T) {
	a := newBench(t, library).agent(false, nil)
	for _, c := range []struct {
		name string
		in   args
		want string
	}{
		{"place behind characters of several bytes", args{"file": "main.star", "line": 3, "column": 20},
			"lib.star:3:5-3:10"},
		{"symbol of a file", args{"file": "main.star", "symbol": "greet"}, "lib.star:3:5-3:10"},
		{"symbol", args{"symbol": "greet"}, "lib.star:3:5-3:10"},
		{"inner function", args{"file": "lib.star", "symbol": "greet.inner"}, "lib.star:5:9-5:14"},
		{"parameter", args{"file": "lib.star", "symbol": "name"}, "lib.star:3:11-3:15"},
		{"absolute path", args{"file": a.path("lib.star"), "symbol": "LIMIT"}, "lib.star:9:1-9:6"},
		{"uri", args{"file": uriOf(a.path("lib.star")), "symbol": "LIMIT"}, "lib.star:9:1-9:6"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := invoke[definitionOut](a, "starlark_definition", c.in)
			if len(out.Definitions) != 1 || out.Definitions[0].show() != c.want {
				t.Errorf("%+v", out)
			}
		})
	}
	out := invoke[definitionOut](a, "starlark_definition", args{"symbol": "greet"})
	if out.Signature != "def greet(name)" || out.Doc != "Greets." ||
		out.Definitions[0].Text != "def greet(name):" {
		t.Errorf("%+v", out)
	}
	for _, c := range []struct {
		name string
		in   args
		code string
		text string
	}{
		{"no target", args{}, codeArguments, "symbol"},
		// Who gave neither used to hear that the file has no line 0.
		{"no place", args{"file": "main.star"}, codeArguments, "symbol"},
		{"line out of range", args{"file": "main.star", "line": 9, "column": 1}, codeArguments,
			"4 lines"},
		{"column out of range", args{"file": "main.star", "line": 3, "column": 99}, codeArguments,
			"1 to"},
		{"no name there", args{"file": "main.star", "line": 2, "column": 1}, codeNotFound, "line 2"},
		{"unknown symbol", args{"symbol": "gret"}, codeNotFound, "similar: greet"},
		{"unknown in file", args{"file": "lib.star", "symbol": "none"}, codeNotFound, "none"},
		{"ambiguous", args{"symbol": "twice"}, codeAmbiguous, "dup2.star:1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := a.failing("starlark_definition", c.in)
			if f.Code != c.code || !strings.Contains(f.Message, c.text) {
				t.Errorf("%+v", *f)
			}
		})
	}
}

func TestReferences(t *testing.T) {
	a := newBench(t, library).agent(true, nil)
	var got []string
	out := invoke[referencesOut](a, "starlark_references", args{"symbol": "greet"})
	for _, r := range out.References {
		mark := ""
		if r.Declaration {
			mark = " declared"
		}
		got = append(got, r.show()+mark)
	}
	want := "lib.star:3:5-3:10 declared, main.star:1:19-1:24 declared, main.star:3:5-3:10," +
		" main.star:3:19-3:24"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("%s\nwant %s", s, want)
	}
	a.failsWith(codeNotFound, "starlark_references", args{"file": "main.star", "line": 2, "column": 1})
}

// No tool looks outside of the folders, whatever way leads there.
func TestConfinement(t *testing.T) {
	b := newBench(t, map[string]string{
		"in.star": "load('../OUT/secret.star', 'secret')\nx = secret\n", "folder/a.star": "",
	})
	outside, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	secret := filepath.Join(outside, "secret.star")
	if err := os.WriteFile(secret, []byte("secret = 'hidden'\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{"link.star": secret, "linked": outside} {
		if err := os.Symlink(to, b.path(from)); err != nil {
			t.Fatal(err)
		}
	}
	relative, err := filepath.Rel(b.dir, secret)
	if err != nil {
		t.Fatal(err)
	}
	a := b.agent(false, nil)
	for name, file := range map[string]string{
		"absolute": secret, "relative": relative, "uri": uriOf(secret), "link": "link.star",
		"linked folder": "linked/secret.star", "device": "/dev/stdin", "missing": "/none/x.star",
		"encoded": "file://" + b.dir + "/%2e%2e/x.star", "through a link": "linked/../secret.star",
	} {
		t.Run(name, func(t *testing.T) {
			for tool, in := range map[string]args{
				"starlark_run": {"file": file}, "starlark_check": {"file": file},
				"starlark_format": {"file": file}, "starlark_symbols": {"file": file},
				"starlark_eval":       {"file": file, "expression": "1"},
				"starlark_definition": {"file": file, "symbol": "secret"},
				"starlark_references": {"file": file, "symbol": "secret"},
				"starlark_rename":     {"file": file, "symbol": "secret", "new_name": "x", "write": true},
				"debug_start":         {"file": file},
			} {
				f := a.failing(tool, in)
				if f.Code != codeOutside && !(name == "through a link" && f.Code == codeNotFound) {
					t.Errorf("%s: %+v", tool, *f)
				}
			}
		})
	}
	for name, module := range map[string]string{
		"absolute": secret, "relative": relative, "link": "link.star", "folder": "linked/secret.star",
	} {
		t.Run("load "+name, func(t *testing.T) {
			text := fmt.Sprintf("load(%q, 'secret')\nx = secret\n", module)
			if f := a.failing("starlark_run", args{"source": text}); strings.Contains(f.Message, "hidden") ||
				!strings.Contains(f.Message, "exist") {
				t.Errorf("%+v", *f)
			}
			out := invoke[checkOut](a, "starlark_check", args{"source": text})
			b.write("loading.star", text)
			inFile := invoke[checkOut](a, "starlark_check", args{"file": "loading.star"})
			for _, p := range append(out.Problems, inFile.Problems...) {
				if strings.Contains(p.Message, "define") {
					t.Errorf("the check has looked into the file: %+v", p)
				}
			}
			res := a.result("starlark_definition", args{"file": "loading.star", "line": 2, "column": 5})
			if strings.Contains(text, "hidden") || strings.Contains(text, outside) && name == "relative" {
				t.Errorf("%v", res)
			}
		})
	}
	t.Run("folder of an editor", func(t *testing.T) {
		editor, err := b.workspace.View(workspace.Options{Roots: []string{outside}})
		if err != nil {
			t.Fatal(err)
		}
		out := invoke[runOut](a, "starlark_run", args{"file": "link.star"})
		if out.Globals[0].Value != `"hidden"` {
			t.Errorf("%+v", out)
		}
		editor.Release()
		a.failing("starlark_run", args{"file": "link.star"})
	})
	t.Run("text without a file", func(t *testing.T) {
		editor, _ := b.workspace.View(workspace.Options{})
		defer editor.Release()
		editor.Open("untitled:1", "x = 1\n")
		if out := invoke[runOut](a, "starlark_run", args{"file": "untitled:1"}); len(out.Globals) != 1 {
			t.Errorf("%+v", out)
		}
		editor.Open(secret, "x = 1\n")
		a.failsWith(codeOutside, "starlark_run", args{"file": secret})
	})
}
