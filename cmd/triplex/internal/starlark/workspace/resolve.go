package workspace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ErrExternal is wrapped by the errors of [View.Resolve] for modules that lie outside of the
// workspace by their name, such as "@repo//pkg:file.bzl" and "ext://name".
var ErrExternal = errors.New("the module is external")

// Resolve returns the path of the file that a load statement in the file from names. The module is
// looked for
//
//   - as an absolute path;
//   - "//pkg:file" and "//pkg/file": from LoadRoots, from the folder around the file that marks the
//     top of a repository, and from Roots;
//   - ":file": in the folder of the file, and in the package around it;
//   - else relative to the file, then to LoadRoots and Roots.
//
// Of the roots those around the file come first, the innermost before the others.
// The path is spelled as the view spells open files and roots.
func (v *View) Resolve(from, module string) (string, error) {
	set := v.settings()
	key, err := v.resolve(set, canonical(from), module)
	if err != nil {
		return "", err
	}
	return v.spell(set, key), nil
}

// resolve is Resolve between canonical names.
func (v *View) resolve(set *settings, from, module string) (string, error) {
	if module == "" {
		return "", errors.New("the module has no name")
	}
	if strings.HasPrefix(module, "@") || strings.Contains(module, "://") {
		return "", fmt.Errorf("%q: %w", module, ErrExternal)
	}
	if filepath.IsAbs(module) && !strings.HasPrefix(module, "//") {
		if key := canonical(module); set.reaches(key) && v.exists(key) {
			return key, nil
		}
		return "", fmt.Errorf("%s does not exist", module)
	}
	rel := strings.TrimPrefix(strings.TrimPrefix(module, "//"), ":")
	rel = filepath.FromSlash(strings.Replace(rel, ":", "/", 1))
	folders := v.loadFolders(set, from, module)
	for _, dir := range folders {
		if key := canonical(filepath.Join(dir, rel)); set.reaches(key) && v.exists(key) {
			return key, nil
		}
	}
	if len(folders) == 0 {
		return "", fmt.Errorf("%q cannot be found: there is no folder to look in", module)
	}
	return "", fmt.Errorf("%q does not exist in %s", module, strings.Join(folders, " or "))
}

// loadFolders returns the folders in which a module is looked for, each once.
func (v *View) loadFolders(set *settings, from, module string) []string {
	var folders []string
	add := func(dirs ...string) {
		for _, dir := range dirs {
			if dir != "" && !slices.Contains(folders, dir) {
				folders = append(folders, dir)
			}
		}
	}
	if filepath.IsAbs(from) && !strings.HasPrefix(module, "//") {
		add(filepath.Dir(from))
	}
	if strings.HasPrefix(module, ":") {
		add(markedFolder(from, "BUILD", "BUILD.bazel", "BUCK"))
		return folders
	}
	add(set.loadRoots...)
	if strings.HasPrefix(module, "//") {
		add(markedFolder(from, "MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel", "REPO.bazel",
			".buckconfig", ".plzconfig"))
	}
	add(set.rootsFor(from)...)
	return folders
}

// rootsFor returns the roots in the order in which a file looks for what it loads.
func (s *settings) rootsFor(from string) []string {
	around := func(root string) int {
		if Within([]string{root}, from) {
			return len(root)
		}
		return 0
	}
	roots := slices.Clone(s.roots)
	slices.SortStableFunc(roots, func(a, b string) int { return around(b) - around(a) })
	return roots
}

// markedFolder returns the innermost folder around a file that holds one of the names, or "".
func markedFolder(from string, names ...string) string {
	if !filepath.IsAbs(from) {
		return ""
	}
	for dir := filepath.Dir(from); ; dir = filepath.Dir(dir) {
		for _, name := range names {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				return dir
			}
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// reaches reports whether loads may lead to a canonical name.
func (s *settings) reaches(key string) bool {
	return !s.opts.Confined || Within(s.roots, key) || Within(s.loadRoots, key)
}

// Within reports whether a file lies below one of some folders. All are absolute paths without
// symbolic links.
func Within(folders []string, name string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool {
		rel, err := filepath.Rel(folder, name)
		return err == nil && filepath.IsLocal(rel)
	})
}

// exists reports whether a canonical name is open or on disk.
func (v *View) exists(key string) bool {
	if v.overlay(key) != nil {
		return true
	}
	info, err := os.Stat(key)
	return err == nil && info.Mode().IsRegular()
}

// spell returns a canonical name as the view spells it: as it opened the file, or below the root as
// that was given.
func (v *View) spell(set *settings, key string) string {
	if o := v.overlay(key); o != nil && o.view == v {
		return o.name
	}
	if root, rel, ok := set.below(key); ok {
		return filepath.Join(set.spelled[root], rel)
	}
	return key
}

// below returns the index of the first root that a canonical name lies below, and the rest of it.
func (s *settings) below(key string) (root int, rel string, ok bool) {
	for i, root := range s.roots {
		if rel, ok := strings.CutPrefix(key, root+string(filepath.Separator)); ok {
			return i, rel, true
		}
	}
	return 0, "", false
}
