package cli

import (
	"testing"

	"github.com/spf13/pflag"
)

func TestFlagsOfMethodSets(t *testing.T) {
	var folder string
	a := &app{Config: Config{Flags: func(flags *pflag.FlagSet) {
		flags.StringVar(&folder, "folder", "", "what the sets look at")
	}}}
	if err := a.serveCommand().ParseFlags([]string{"--stdio", "--folder", "x"}); err != nil {
		t.Fatal(err)
	}
	if folder != "x" {
		t.Errorf("the folder is %q", folder)
	}
}
