package cli

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"triplex/framing"
	"triplex/host"
	"triplex/host/mount"
)

// mountFlags say what is served.
type mountFlags struct {
	specs        []string
	framings     []string
	startTimeout span
	stdinGrace   span
	termGrace    span
	restarts     restarts
}

func (f *mountFlags) register(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.specs, "mount", nil,
		"serve the method set `SPEC` instead of the default (repeatable)")
	flags.StringArrayVar(&f.framings, "mount-framing", nil,
		"how the server of a mount tells messages apart, as `NAME=FRAMING` (repeatable)")
	f.startTimeout = span(30 * time.Second)
	flags.Var(&f.startTimeout, "start-timeout", "how long the server of a mount may take to start")
	f.stdinGrace, f.termGrace = span(2*time.Second), span(time.Second)
	flags.Var(&f.stdinGrace, "stdin-grace",
		"how long a started server may live on after its input has ended, before SIGTERM")
	flags.Var(&f.termGrace, "term-grace", "how long it may live on after SIGTERM, before SIGKILL")
	f.restarts = restarts{5, 180 * time.Second}
	flags.Var(&f.restarts, "restarts",
		"replace a started server that dies up to `N/DURATION`; 0 for never")
}

// mountSets returns the method sets that the flags name, the default ones if they name none.
func (a *app) mountSets(f *serveFlags) ([]host.MethodSet, error) {
	specs := f.mounts.specs
	if len(specs) == 0 {
		specs = []string{a.Default}
	}
	options := mount.Options{
		Limits: f.limits, StartTimeout: time.Duration(f.mounts.startTimeout),
		StdinGrace: time.Duration(f.mounts.stdinGrace),
		TermGrace:  time.Duration(f.mounts.termGrace),
		Restarts:   f.mounts.restarts.number, RestartWindow: f.mounts.restarts.window,
	}
	if options.Restarts == 0 {
		options.Restarts = -1 // none
	}
	var sets []host.MethodSet
	taken := map[string]bool{}
	for _, spec := range specs {
		named, err := a.named(spec, options)
		if err != nil {
			return nil, err
		}
		for _, set := range named {
			if taken[set.Name()] {
				return nil, usagef("--mount %s: a mount is called %s already; give this one a "+
					"name of its own: NAME:KIND=TARGET", spec, set.Name())
			}
			taken[set.Name()] = true
		}
		sets = append(sets, named...)
	}
	return sets, f.mounts.frame(sets)
}

// named returns the method set, or the group of them, that one spec names.
func (a *app) named(spec string, options mount.Options) ([]host.MethodSet, error) {
	own, names := a.ownSets()
	if sets := own[spec]; sets != nil {
		return sets, nil
	}
	if !strings.Contains(spec, "=") {
		return nil, usagef("--mount %s: unknown method set%s (known: %s, or [NAME:]KIND=TARGET)",
			spec, suggest(spec, names), strings.Join(names, ", "))
	}
	set, err := mount.Parse(spec, a.dialects())
	if err != nil {
		return nil, usagef("--mount %s: %w", spec, err)
	}
	set.Options = options
	return []host.MethodSet{set}, nil
}

// frame sets the framings of the mounts' servers.
func (f *mountFlags) frame(sets []host.MethodSet) error {
	for _, pair := range f.framings {
		name, text, _ := strings.Cut(pair, "=")
		framing, err := framing.Parse(text)
		if err != nil {
			return usagef("--mount-framing %s: want NAME=FRAMING: %w", pair, err)
		}
		i := slices.IndexFunc(sets, func(s host.MethodSet) bool { return s.Name() == name })
		if i < 0 {
			return usagef("--mount-framing %s: no mount is called %s", pair, name)
		}
		set, ok := sets[i].(*mount.Set)
		if !ok {
			return usagef("--mount-framing %s: %s is part of this program, not a server", pair, name)
		}
		set.Options.Framing = framing
	}
	return nil
}

// ownSets returns the sets and groups of the program by their names, and these in order.
func (a *app) ownSets() (own map[string][]host.MethodSet, names []string) {
	own = map[string][]host.MethodSet{}
	add := func(name string, sets ...host.MethodSet) {
		own[name] = sets
		names = append(names, name)
	}
	for _, set := range a.Sets {
		add(set.Name(), set)
	}
	for _, group := range slices.Sorted(maps.Keys(a.Groups)) {
		add(group, a.Groups[group]...)
		for _, set := range a.Groups[group] {
			add(set.Name(), set)
		}
	}
	return own, names
}
