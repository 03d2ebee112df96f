package lspface

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/sourcegraph/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"triplex/lsp"
)

// The commands. Each takes the URI of a document.
const (
	runCommand      = "starlark.run"
	debugCommand    = "starlark.debug"
	organizeCommand = "starlark.organizeLoads"
)

// A commandFunc carries out a command on a document.
type commandFunc func(context.Context, *document, protocol.ProgressToken) (protocol.LSPAny, error)

var commands = map[string]commandFunc{
	runCommand:      run,
	debugCommand:    debug,
	organizeCommand: organizeLoads,
}

func commandNames() []string { return slices.Sorted(maps.Keys(commands)) }

func executeCommand(
	ctx context.Context, s *lsp.Session, p *protocol.ExecuteCommandParams,
) (protocol.LSPAny, error) {
	f := commands[p.Command]
	if f == nil {
		return nil, &jsonrpc2.Error{
			Code:    jsonrpc2.CodeInvalidParams,
			Message: fmt.Sprintf("there is no command %q, but %q", p.Command, commandNames()),
		}
	}
	var u uri.URI
	if len(p.Arguments) != 1 || lsp.Unmarshal(p.Arguments[0], &u) != nil {
		return nil, &jsonrpc2.Error{
			Code:    jsonrpc2.CodeInvalidParams,
			Message: p.Command + " takes one argument, the URI of a document",
		}
	}
	d, err := open(s, u)
	if err != nil {
		return nil, err
	}
	return f(ctx, d, p.WorkDoneToken)
}

// command returns a command on the document.
func (d *document) command(title, name string) *protocol.Command {
	arg, err := protocol.Marshal(string(d.uri))
	if err != nil {
		panic(err) // a string can always be marshalled
	}
	return &protocol.Command{
		Title: title, Command: name, Arguments: []protocol.LSPAny{arg},
	}
}

// lenses offers to run a file, and to debug it, above its first line.
func lenses(
	_ context.Context, s *lsp.Session, p *protocol.CodeLensParams,
) ([]protocol.CodeLens, error) {
	d, err := open(s, p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	return []protocol.CodeLens{
		{Command: *d.command("Run", runCommand)},
		{Command: *d.command("Debug", debugCommand)},
	}, nil
}

// organizeLoads puts the load statements of a document in order, by an edit that the client makes.
func organizeLoads(
	ctx context.Context, d *document, _ protocol.ProgressToken,
) (protocol.LSPAny, error) {
	edits := d.file.OrganizeLoads()
	if len(edits) == 0 {
		return nil, nil
	}
	if err := d.session.ApplyEdit(ctx, "Organize loads", *d.edit(edits)); err != nil {
		return nil, failed(err)
	}
	return nil, nil
}
