package cli

import (
	"maps"
	"slices"
	"strings"

	"triplex/host"
)

// mountSets returns the method sets that specs name, the default ones without specs.
func (a *app) mountSets(specs []string) ([]host.MethodSet, error) {
	if len(specs) == 0 {
		specs = []string{a.Default}
	}
	var sets []host.MethodSet
	taken := map[string]bool{}
	for _, spec := range specs {
		named, err := a.named(spec)
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
	return sets, nil
}

// named returns the method set, or the group of them, that one spec names.
func (a *app) named(spec string) ([]host.MethodSet, error) {
	own, names := a.ownSets()
	if sets := own[spec]; sets != nil {
		return sets, nil
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
	return []host.MethodSet{set}, nil
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
