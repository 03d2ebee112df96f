package cli

import (
	"strings"
	"testing"

	"triplex/host"
	"triplex/host/echo"
)

func TestMountsOfAGroup(t *testing.T) {
	a := &app{Config: Config{
		Sets: []host.MethodSet{echo.Set{}},
		Groups: map[string][]host.MethodSet{"language": {
			testSet{"language-lsp", host.Plain, createFile},
			testSet{"language-dap", host.Plain, createFile},
		}},
		Default: "language",
	}}
	for _, tt := range []struct {
		name  string
		specs []string
		want  string // the names of the mounts, or a part of the error
	}{
		{"by default", nil, "language-lsp language-dap"},
		{"by the name of the group", []string{"language", "echo"}, "language-lsp language-dap echo"},
		{"one of it", []string{"language-dap"}, "language-dap"},
		{"twice", []string{"language", "language-dap"}, "a mount is called language-dap already"},
		{"unknown", []string{"languish"},
			"did you mean language? (known: echo, language, language-lsp, language-dap, " +
				"or [NAME:]KIND=TARGET)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sets, err := a.mountSets(&serveFlags{mounts: mountFlags{specs: tt.specs}})
			var names []string
			for _, set := range sets {
				names = append(names, set.Name())
			}
			got := strings.Join(names, " ")
			if err != nil {
				got = err.Error()
			}
			if got != tt.want && (err == nil || !strings.Contains(got, tt.want)) {
				t.Errorf("mounts are %s, want %s", got, tt.want)
			}
		})
	}
}
