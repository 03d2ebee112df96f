package lspface

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/host"
	"triplex/lsp"
)

// section is the name under which clients keep the settings, and see where problems come from.
const section = "starlark"

// settings are what a client configures.
type settings struct {
	predeclared []string
	options     dialect
	roots       []string
}

// dialect is the optional features of the language.
type dialect struct {
	Set             bool `json:"set"`
	While           bool `json:"while"`
	TopLevelControl bool `json:"topLevelControl"`
	GlobalReassign  bool `json:"globalReassign"`
	Recursion       bool `json:"recursion"`
}

func (d dialect) fileOptions() syntax.FileOptions {
	return syntax.FileOptions{
		Set: d.Set, While: d.While, TopLevelControl: d.TopLevelControl,
		GlobalReassign: d.GlobalReassign, Recursion: d.Recursion,
	}
}

// read takes over the settings in a client's object: in its member starlark, or in members such as
// starlark.predeclared, or without either as they are. What it does not mention stays. It reports
// false if the object mentions nothing.
func (s *settings) read(raw json.RawMessage) (ok bool, err error) {
	if inner, found := host.Member(raw, section); found {
		raw = inner
	}
	a, errA := readSetting(raw, "predeclared", &s.predeclared)
	b, errB := readSetting(raw, "options", &s.options)
	c, errC := readSetting(raw, "roots", &s.roots)
	return a || b || c, errors.Join(errA, errB, errC)
}

func readSetting[T any](raw json.RawMessage, name string, into *T) (ok bool, err error) {
	value, ok := host.Member(raw, section+"."+name)
	if !ok {
		value, ok = host.Member(raw, name)
	}
	if !ok || string(value) == "null" {
		return false, nil
	}
	var fresh T
	if err := json.Unmarshal(value, &fresh); err != nil {
		return true, fmt.Errorf("the setting %s.%s: %w", section, name, err)
	}
	*into = fresh
	return true, nil
}

// configure takes over new settings and tells the user what is wrong with them.
func (st *session) configure(ctx context.Context, raw json.RawMessage) error {
	st.mu.Lock()
	ok, err := st.settings.read(raw)
	st.mu.Unlock()
	if !ok {
		return nil
	}
	if err := errors.Join(err, st.apply()); err != nil {
		return st.client.ShowMessage(ctx, protocol.MessageTypeWarning, err.Error())
	}
	return nil
}

// apply makes folders and settings those of the view.
func (st *session) apply() error {
	st.applying.Lock()
	err := st.view.Configure(st.options())
	st.applying.Unlock()
	st.checker.recheck()
	return err
}

// options returns what the view is to be configured with.
func (st *session) options() workspace.Options {
	st.mu.Lock()
	defer st.mu.Unlock()
	opts := workspace.Options{
		Roots:       slices.Clone(st.folders),
		Dialect:     st.settings.options.fileOptions(),
		Predeclared: st.settings.predeclared,
	}
	for _, root := range st.settings.roots {
		if filepath.IsAbs(root) {
			opts.LoadRoots = append(opts.LoadRoots, root)
			continue
		}
		for _, folder := range st.folders {
			opts.LoadRoots = append(opts.LoadRoots, filepath.Join(folder, root))
		}
	}
	return opts
}

// initialize takes over what the client says of itself (LSP 3.18, initialize).
func initialize(ctx context.Context, s *lsp.Session, _ *protocol.InitializeResult) error {
	st := stateOf(s)
	p := s.InitializeParams()
	st.mu.Lock()
	st.folders = initialFolders(p)
	st.mu.Unlock()
	if err := st.apply(); err != nil {
		return err
	}
	if len(p.InitializationOptions) == 0 {
		return nil
	}
	return st.configure(ctx, json.RawMessage(p.InitializationOptions))
}

// initialFolders returns the folders that a client opens at first.
func initialFolders(p *protocol.InitializeParams) []string {
	var folders []string
	open, _ := p.WorkspaceFolders.Get()
	for _, folder := range open {
		folders = appendFolder(folders, folder.URI)
	}
	if len(folders) > 0 {
		return folders
	}
	//lint:ignore SA1019 clients without workspace folders send this
	if root := p.RootURI; root != nil {
		return appendFolder(nil, *root)
	}
	//lint:ignore SA1019 and some only this
	if path, _ := p.RootPath.Get(); filepath.IsAbs(path) {
		return []string{path}
	}
	return nil
}

// appendFolder appends the path of a folder that is on this machine.
func appendFolder(folders []string, u uri.URI) []string {
	path, err := folderPath(u)
	if err != nil || slices.Contains(folders, path) {
		return folders
	}
	return append(folders, path)
}

// folderPath returns the path of a folder, which is the same whether its URI ends with a slash.
func folderPath(u uri.URI) (string, error) {
	path, err := lsp.Path(u)
	return filepath.Clean(path), err
}

func didChangeFolders(
	_ context.Context, s *lsp.Session, p *protocol.DidChangeWorkspaceFoldersParams,
) error {
	st := stateOf(s)
	st.mu.Lock()
	folders := slices.Clone(st.folders)
	for _, folder := range p.Event.Removed {
		if path, err := folderPath(folder.URI); err == nil {
			folders = slices.DeleteFunc(folders, func(f string) bool { return f == path })
		}
	}
	for _, folder := range p.Event.Added {
		folders = appendFolder(folders, folder.URI)
	}
	st.folders = folders
	st.mu.Unlock()
	return st.apply()
}

// didChangeConfiguration takes the settings from the client's message, or asks for them if there
// are none in it.
func didChangeConfiguration(
	ctx context.Context, s *lsp.Session, p *protocol.DidChangeConfigurationParams,
) error {
	st := stateOf(s)
	if isTrue(inWorkspace(s).Configuration) {
		host.Release(ctx)
		return st.askSettings(ctx)
	}
	return st.configure(ctx, json.RawMessage(p.Settings))
}

// askSettings asks the client for its settings.
func (st *session) askSettings(ctx context.Context) error {
	values, err := st.client.Configuration(ctx, section)
	if err != nil || values[0] == nil {
		return err
	}
	return st.configure(ctx, json.RawMessage(values[0]))
}

// watched is what the client is asked to watch: what [workspace.IsStarlark] says yes to.
var watched = []string{
	"**/*.{star,starlark,bzl,sky,axl,bazel,bxl,plz}",
	"**/{BUILD,BUCK,WORKSPACE,TARGETS}",
	"**/*Tiltfile",
}

// initialized asks the client for what it did not say in its initialize request. It must not hold
// up what the client says next.
func initialized(ctx context.Context, s *lsp.Session, _ *protocol.InitializedParams) error {
	host.Release(ctx)
	st := stateOf(s)
	var errs []error
	if isTrue(inWorkspace(s).Configuration) {
		errs = append(errs, st.askSettings(ctx))
	}
	_, err := s.Register(ctx, lsp.DidChangeConfiguration.Method,
		&protocol.DidChangeConfigurationRegistrationOptions{Section: protocol.String(section)})
	errs = append(errs, err)
	var watchers []protocol.FileSystemWatcher
	for _, glob := range watched {
		watchers = append(watchers, protocol.FileSystemWatcher{GlobPattern: protocol.Pattern(glob)})
	}
	_, err = s.Register(ctx, lsp.DidChangeWatchedFiles.Method,
		&protocol.DidChangeWatchedFilesRegistrationOptions{Watchers: watchers})
	errs = append(errs, err)
	for _, err := range errs {
		if err != nil && !errors.Is(err, errors.ErrUnsupported) {
			s.Core().Logger().Warn("the client refused", "error", err)
		}
	}
	return nil
}

// didChangeFiles looks at the open documents again: the workspace itself notices what has changed
// on disk.
func didChangeFiles(
	_ context.Context, s *lsp.Session, _ *protocol.DidChangeWatchedFilesParams,
) error {
	stateOf(s).checker.recheck()
	return nil
}
