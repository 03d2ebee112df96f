package starlark

import (
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/pflag"

	"triplex/cmd/triplex/internal/starlark/mcpface"
	"triplex/host"
)

// agents returns the face for agents.
func (c *core) agents() host.MethodSet {
	cfg := mcpface.Config{
		Workspace: c.workspace, Runs: c.programs,
		Roots: func() []string { return *c.roots },
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		cfg.Version = info.Main.Version
	}
	return mcpface.New(cfg)
}

// Roots are the folders that agents may use beside those of attached editors; without any that is
// the working directory.
type Roots []string

// Register adds the flag that names them.
func (r *Roots) Register(flags *pflag.FlagSet) {
	flags.Var(r, "root", "let agents use the files in `FOLDER` (repeatable; the working directory\n"+
		"without this, and always the folders of attached editors)")
}

// String implements [pflag.Value].
func (r *Roots) String() string { return "" }

// Type implements [pflag.Value].
func (r *Roots) Type() string { return "FOLDER" }

// Set implements [pflag.Value]. It adds a folder, which must exist.
func (r *Roots) Set(folder string) error {
	path, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return errors.New("not a folder")
	}
	*r = append(*r, path)
	return nil
}
