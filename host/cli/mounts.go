package cli

import (
	"strings"

	"triplex/host"
)

// mountSets returns the method sets that specs name, the default one without specs.
func (a *app) mountSets(specs []string) ([]host.MethodSet, error) {
	if len(specs) == 0 {
		specs = []string{a.Default}
	}
	var sets []host.MethodSet
	taken := map[string]bool{}
	for _, spec := range specs {
		set, err := a.mountSet(spec)
		if err != nil {
			return nil, err
		}
		if taken[set.Name()] {
			return nil, usagef("--mount %s: a mount is called %s already; give this one a name "+
				"of its own: NAME:KIND=TARGET", spec, set.Name())
		}
		taken[set.Name()] = true
		sets = append(sets, set)
	}
	return sets, nil
}

func (a *app) mountSet(spec string) (host.MethodSet, error) {
	var names []string
	for _, set := range a.Sets {
		if set.Name() == spec {
			return set, nil
		}
		names = append(names, set.Name())
	}
	known := strings.Join(names, ", ")
	if !strings.Contains(spec, "=") {
		return nil, usagef("--mount %s: unknown method set%s (known: %s)",
			spec, suggest(spec, names), known)
	}
	if a.Mount == nil {
		return nil, usagef("--mount %s: this program mounts its own method sets only: %s",
			spec, known)
	}
	set, err := a.Mount(spec)
	if err != nil {
		return nil, usagef("--mount %s: %w", spec, err)
	}
	return set, nil
}
