package debugger

import (
	"errors"
	"fmt"
	"maps"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// DefaultMaxOutput is the number of bytes a program may print when Config.MaxOutput is zero.
const DefaultMaxOutput = 64 << 20

// A Source gives the text of the program and of the modules it loads, so that what an editor holds
// and has not saved is what runs. Its methods must be safe for concurrent use. A file has one path:
// the debugger compares paths byte by byte.
type Source interface {
	// Read returns the current text of the file.
	Read(path string) (string, error)
	// Resolve returns the path of the module that a load statement in the file from names.
	Resolve(from, module string) (string, error)
}

// A Config says what a Run runs, and how. Program and Source are required.
type Config struct {
	// Program is the path of the file to run.
	Program string
	// Source gives the text of Program and of the modules it loads.
	Source Source
	// Args become the program's frozen list args, unless Predeclared has a name args.
	Args []string
	// Predeclared are the names an embedder adds to the language. It is not modified.
	Predeclared starlark.StringDict
	// Builtin answers the loads of modules that have no source text, such as an embedder's
	// libraries. With (nil, nil) it leaves the module to Source. May be nil.
	Builtin func(thread *starlark.Thread, module string) (starlark.StringDict, error)
	// Options is the dialect of every file; nil is the default dialect.
	Options *syntax.FileOptions
	// Prepare is called for the program's thread, and for each thread that evaluates an expression
	// in it, before it is used: the place for thread-local values. May be nil.
	Prepare func(*starlark.Thread)

	// StopOnEntry stops the program before its first statement.
	StopOnEntry bool
	// NoDebug runs the program as it is: nothing stops it but Terminate and the limits.
	NoDebug bool
	// MaxSteps is how many steps of the interpreter the program may take; zero sets no limit.
	MaxSteps uint64
	// MaxOutput is how many bytes the program may print; zero means DefaultMaxOutput.
	MaxOutput int64
	// MaxMemory is by how many bytes the memory of the process may grow while the program runs, or
	// while an expression is evaluated in it; zero means DefaultMaxMemory.
	MaxMemory uint64
	// Meter watches the memory for all programs of the process that it is given to; nil stands for
	// one of the program's own.
	Meter *Meter
}

// check returns the configuration with its defaults filled in.
func (c Config) check() (Config, error) {
	switch {
	case c.Program == "":
		return c, errors.New("no program to run was given")
	case c.Source == nil:
		return c, errors.New("no source to read the program from was given")
	case c.MaxOutput < 0:
		return c, fmt.Errorf("output limit is %d bytes, want zero or more", c.MaxOutput)
	}
	if c.MaxOutput == 0 {
		c.MaxOutput = DefaultMaxOutput
	}
	if c.MaxMemory == 0 {
		c.MaxMemory = DefaultMaxMemory
	}
	if c.Meter == nil {
		c.Meter = new(Meter)
	}
	if c.Options == nil {
		c.Options = new(syntax.FileOptions)
	}
	if c.Builtin == nil {
		c.Builtin = func(*starlark.Thread, string) (starlark.StringDict, error) { return nil, nil }
	}
	if c.Prepare == nil {
		c.Prepare = func(*starlark.Thread) {}
	}
	c.Predeclared = c.environment()
	return c, nil
}

// environment returns a copy of the predeclared names, with args among them.
func (c *Config) environment() starlark.StringDict {
	env := make(starlark.StringDict, len(c.Predeclared)+1)
	args := make([]starlark.Value, len(c.Args))
	for i, a := range c.Args {
		args[i] = starlark.String(a)
	}
	list := starlark.NewList(args)
	list.Freeze()
	env["args"] = list
	maps.Copy(env, c.Predeclared)
	return env
}
