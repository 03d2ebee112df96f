package mcpface

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"triplex/cmd/triplex/internal/starlark/workspace"
)

// complete completes the arguments of prompts and of the template of files: names of files, and of
// the functions of the file that has been chosen.
func (f *Face) complete(
	_ context.Context, req *sdk.CompleteRequest,
) (*sdk.CompleteResult, error) {
	p := req.Params
	if p.Ref == nil || p.Argument.Name == "" {
		return nil, &jsonrpc.Error{
			Code: jsonrpc.CodeInvalidParams, Message: "params: ref or argument.name is missing",
		}
	}
	if p.Ref.Type == "ref/prompt" && p.Ref.Name != explainPrompt && p.Ref.Name != testPrompt {
		return nil, invalid(failf(codeNotFound, "unknown prompt %q", clip(p.Ref.Name, maxName)))
	}
	var values []string
	switch p.Argument.Name {
	case fileArgument, "path":
		values = f.matchingFiles(p.Argument.Value)
	case functionArgument:
		values = f.matchingFunctions(p)
	}
	res := new(sdk.CompleteResult)
	res.Completion.Total = len(values)
	values, omitted := bounded(values, maxCompletions)
	res.Completion.Values, res.Completion.HasMore = values, omitted > 0
	return res, nil
}

// maxCompletions is how many values the protocol allows (2025-11-25, Completion).
const maxCompletions = 100

// matchingFiles returns the files whose paths begin with a text. If it is no path, these are first
// the files whose own names begin with it, then those that it is a part of below their folder.
func (f *Face) matchingFiles(text string) []string {
	all := f.files()
	for _, name := range f.cfg.Workspace.Opened() {
		if filepath.IsAbs(name) && f.isVisible(name) {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	folders := f.folders()
	var first, then []string
	for _, name := range all {
		switch {
		case filepath.IsAbs(text) && strings.HasPrefix(name, text),
			strings.HasPrefix(filepath.Base(name), text):
			first = append(first, name)
		case strings.Contains(below(folders, name), text):
			then = append(then, name)
		}
	}
	return append(first, then...)
}

// below returns the path of a file from the folder that it lies in.
func below(folders []string, name string) string {
	for _, folder := range folders {
		if rest, err := filepath.Rel(folder, name); err == nil && filepath.IsLocal(rest) {
			return rest
		}
	}
	return name
}

// matchingFunctions returns the functions of the chosen file whose names begin with what is typed.
func (f *Face) matchingFunctions(p *sdk.CompleteParams) []string {
	if p.Context == nil {
		return nil
	}
	file, err := f.open(p.Context.Arguments[fileArgument])
	if err != nil {
		return nil // another completion tells of the files there are
	}
	var names []string
	for _, s := range file.Symbols() {
		if s.Kind == workspace.FunctionSymbol && strings.HasPrefix(s.Name, p.Argument.Value) {
			names = append(names, s.Name)
		}
	}
	return names
}
