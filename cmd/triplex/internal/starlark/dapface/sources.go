package dapface

import (
	"context"
	"path/filepath"

	"triplex/cmd/triplex/internal/starlark/debugger"
	"triplex/dap"
)

func (s *session) modules(_ context.Context, p *dap.ModulesArguments) (
	*dap.ModulesResponseBody, error,
) {
	all := s.loadedModules()
	total := len(all)
	all = all[min(max(dap.Or(p.StartModule, 0), 0), total):]
	if n := dap.Or(p.ModuleCount, 0); n > 0 {
		all = all[:min(n, len(all))]
	}
	res := &dap.ModulesResponseBody{TotalModules: &total}
	for _, m := range all {
		res.Modules = append(res.Modules, s.module(m))
	}
	return res, nil
}

func (s *session) loadedModules() []debugger.Module {
	v := s.current()
	if v == nil {
		return nil
	}
	return v.run.Modules()
}

func (s *session) module(m debugger.Module) dap.Module {
	return dap.Module{
		ID: dap.ModuleName(m.Path), Name: m.Name, Path: new(s.files.show(m.Path)),
		IsUserCode: new(true),
	}
}

func (s *session) loadedSources(context.Context, *dap.LoadedSourcesArguments) (
	*dap.LoadedSourcesResponseBody, error,
) {
	res := new(dap.LoadedSourcesResponseBody)
	for _, m := range s.loadedModules() {
		res.Sources = append(res.Sources, *s.files.source(m.Path))
	}
	return res, nil
}

// source returns the text of a file as it runs.
func (s *session) source(_ context.Context, p *dap.SourceArguments) (
	*dap.SourceResponseBody, error,
) {
	src := dap.Source{SourceReference: &p.SourceReference}
	if p.Source != nil {
		src = *p.Source
	}
	name, err := s.files.of(&src)
	if err != nil {
		return nil, err
	}
	text, err := s.text(name)
	if err != nil {
		return nil, shown(idProgram, "%s: %v", filepath.Base(name), err)
	}
	return &dap.SourceResponseBody{Content: text, MIMEType: new("text/x-starlark")}, nil
}
