package mcpface

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fieldFiles are programs that public reports are about.
const fieldFiles = "../../../../../../shared/field/starlark"

// field returns an agent whose folder has the files of a case.
func field(t *testing.T, names ...string) *agent {
	t.Helper()
	files := map[string]string{}
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(fieldFiles, name))
		if os.IsNotExist(err) {
			t.Skip("skipped: needs the cases in ../shared/field")
		}
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(content)
	}
	return newBench(t, files).agent(true, nil)
}

// tilt-dev/vscode-tilt#57: what a loaded file printed reached standard output.
func TestFieldS01(t *testing.T) {
	a := field(t, "s01_main.star", "s01_noisy.star")
	out := invoke[runOut](a, "starlark_run", args{"file": "s01_main.star"})
	if out.Output != "noise at load time\nhi\n" {
		t.Errorf("%+v", out)
	}
}

// google/starlark-go#131: of a failure three files down only the first load was shown.
func TestFieldS05(t *testing.T) {
	a := field(t, "s05_a.star", "s05_b.star", "s05_c.star")
	res := a.result("starlark_run", args{"file": "s05_a.star"})
	for _, place := range []string{"s05_c.star:4", "s05_c.star:6", "s05_b.star:1", "s05_a.star:1"} {
		if !strings.Contains(text(res), place) {
			t.Errorf("no %s in %s", place, text(res))
		}
	}
}

// bazelbuild/bazel#13576: the message about a recursion named one function only.
func TestFieldS07(t *testing.T) {
	a := field(t, "s07_mutual.star")
	f := a.failing("starlark_run", args{"file": "s07_mutual.star"})
	for _, place := range []string{"star:10:", "star:2:", "star:5:", "star:8:"} {
		if !strings.Contains(f.Backtrace, place) {
			t.Errorf("no %s in %s", place, f.Backtrace)
		}
	}
}
