package runs

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/uri"
	"go.uber.org/goleak"

	"triplex/cmd/triplex/internal/starlark/debugger"
	"triplex/lsp"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A text is a program without modules.
type text string

func (t text) Read(string) (string, error) { return string(t), nil }

func (t text) Resolve(string, string) (string, error) { return "", errors.New("no modules") }

// spin is a program that runs until it is ended.
const spin = "def f():\n    for _ in range(1000000000): pass\nf()\n"

func add(t *testing.T, g *Registry, by string) *Run {
	t.Helper()
	r, err := g.New(debugger.Config{
		Program: "/p/main.star", Source: text(spin), StopOnEntry: true,
	}, by)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// start starts a run and waits until it stands at its first statement.
func start(t *testing.T, r *Run) {
	t.Helper()
	events := r.Observe()
	defer events.Close()
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	for {
		ev, err := events.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := ev.(debugger.Stopped); ok {
			return
		}
	}
}

func TestFind(t *testing.T) {
	g := new(Registry)
	defer g.Close()
	_, err := g.Find("")
	checkError(t, err, "no program runs")
	first := add(t, g, "editor")
	if r, err := g.Find(""); r != first {
		t.Errorf("found %v, %v", r, err)
	}
	second := add(t, g, "agent")
	if r, err := g.Find(second.ID); r != second {
		t.Errorf("found %v, %v", r, err)
	}
	list := "1 (main.star, ready, started by editor), 2 (main.star, ready, started by agent)"
	_, err = g.Find("")
	checkError(t, err, "name one of the programs that run: "+list)
	_, err = g.Find("7")
	checkError(t, err, `there is no run "7", but `+list)
	first.Terminate()
	<-first.Done()
	if all := g.List(); len(all) != 1 || all[0] != second {
		t.Errorf("%v run", all)
	}
}

func checkError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v, want %q", err, want)
	}
}

func TestDriver(t *testing.T) {
	g := new(Registry)
	defer g.Close()
	r := add(t, g, "editor")
	if got := r.Driver(); got != "editor" {
		t.Errorf("%s drives", got)
	}
	if r.Resume(debugger.Resume{By: "agent"}) == nil || r.Driver() != "editor" {
		t.Errorf("%s drives a program that does not stand still", r.Driver())
	}
	start(t, r)
	if err := r.Resume(debugger.Resume{By: "agent"}); err != nil {
		t.Fatal(err)
	}
	if got := r.Driver(); got != "agent" {
		t.Errorf("%s drives", got)
	}
}

// TestLeave lets a program go on once the last of its clients has left.
func TestLeave(t *testing.T) {
	g := new(Registry)
	defer g.Close()
	r := add(t, g, "editor")
	start(t, r)
	r.Join()
	r.Join()
	r.Leave()
	if got := r.State().Phase; got != debugger.PhaseStopped {
		t.Errorf("it is %v while a client is left", got)
	}
	r.Leave()
	if got := r.State().Phase; got != debugger.PhaseRunning {
		t.Errorf("it is %v without clients", got)
	}
}

func TestLimit(t *testing.T) {
	g := new(Registry)
	defer g.Close()
	for range Max {
		add(t, g, "editor")
	}
	_, err := g.New(debugger.Config{Program: "/p", Source: text("")}, "editor")
	checkError(t, err, "1000 programs run already")
}

func TestClose(t *testing.T) {
	g := new(Registry)
	r := add(t, g, "editor")
	start(t, r)
	if err := r.Resume(debugger.Resume{}); err != nil {
		t.Fatal(err)
	}
	worked := false
	g.Go(func() {
		<-r.Done()
		worked = true
	})
	g.Close()
	if !worked || r.State().Phase != debugger.PhaseEnded {
		t.Error("Close did not wait")
	}
	if g.Go(func() {}) {
		t.Error("work was begun after Close")
	}
	_, err := g.New(debugger.Config{Program: "/p", Source: text("")}, "editor")
	checkError(t, err, "shuts down")
	g.Close()
}

func TestNewFails(t *testing.T) {
	_, err := new(Registry).New(debugger.Config{}, "editor")
	checkError(t, err, "no program")
}

// TestPath gives a file one name (field case s27).
func TestPath(t *testing.T) {
	dir := Path(t.TempDir())
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	file := filepath.Join(dir, "a.star")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		file:                    file,
		dir + "/./x/..//a.star": file,
		link + "/a.star":        file,
		link + "/none.star":     dir + "/none.star",
		"/no/such/a.star":       "/no/such/a.star",
		"untitled:Untitled-1":   "untitled:Untitled-1",
	} {
		if got := Path(name); got != want {
			t.Errorf("%s became %s, want %s", name, got, want)
		}
	}
}

// TestWindowsPaths: one file has many names there (field case s27).
func TestWindowsPaths(t *testing.T) {
	for _, name := range []string{
		`C:\p\a.star`, `c:\p\a.star`, "C:/p/a.star", "c:/P/A.star", "file:///c%3A/p/a.star",
		"file:///C:/p/a.star",
	} {
		path := name
		if strings.HasPrefix(name, "file:") {
			var err error
			if path, err = lsp.PathFor(uri.PlatformWindows, uri.URI(name)); err != nil {
				t.Fatal(err)
			}
		}
		if got := fold(path, true); got != `c:\p\a.star` {
			t.Errorf("%s became %s", name, got)
		}
	}
	if got := fold("/p/A.star", false); got != "/p/A.star" {
		t.Errorf("elsewhere case matters, but it became %s", got)
	}
}
