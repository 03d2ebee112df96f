package lspface

import (
	"context"
	"slices"
	"strconv"

	"go.lsp.dev/protocol"

	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
	"triplex/lsp"
)

// legend names the kinds and properties of tokens, in the order of the constants of the workspace.
var legend = protocol.SemanticTokensLegend{
	TokenTypes: []string{
		workspace.CommentToken:   string(protocol.SemanticTokenTypesComment),
		workspace.KeywordToken:   string(protocol.SemanticTokenTypesKeyword),
		workspace.StringToken:    string(protocol.SemanticTokenTypesString),
		workspace.NumberToken:    string(protocol.SemanticTokenTypesNumber),
		workspace.OperatorToken:  string(protocol.SemanticTokenTypesOperator),
		workspace.VariableToken:  string(protocol.SemanticTokenTypesVariable),
		workspace.ParameterToken: string(protocol.SemanticTokenTypesParameter),
		workspace.FunctionToken:  string(protocol.SemanticTokenTypesFunction),
		workspace.MethodToken:    string(protocol.SemanticTokenTypesMethod),
		workspace.PropertyToken:  string(protocol.SemanticTokenTypesProperty),
	},
	TokenModifiers: []string{ // each is a bit, from the lowest
		string(protocol.SemanticTokenModifiersDeclaration),
		string(protocol.SemanticTokenModifiersReadonly),
		string(protocol.SemanticTokenModifiersDefaultLibrary),
		string(protocol.SemanticTokenModifiersDocumentation),
	},
}

// A coloring is the tokens a client was given last for a document.
type coloring struct {
	id   string
	data []uint32
}

// tokens colors a document.
func tokens(
	_ context.Context, s *lsp.Session, p *protocol.SemanticTokensParams,
) (*protocol.SemanticTokens, error) {
	d, err := open(s, p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	_, now := d.color()
	return &protocol.SemanticTokens{ResultID: &now.id, Data: now.data}, nil
}

// tokensDelta colors a document, telling only what has changed if the client has what it was given
// last.
func tokensDelta(
	_ context.Context, s *lsp.Session, p *protocol.SemanticTokensDeltaParams,
) (protocol.SemanticTokensDeltaResult, error) {
	d, err := open(s, p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	before, now := d.color()
	if before.id == "" || before.id != p.PreviousResultID {
		return &protocol.SemanticTokens{ResultID: &now.id, Data: now.data}, nil
	}
	return &protocol.SemanticTokensDelta{
		ResultID: &now.id, Edits: difference(before.data, now.data),
	}, nil
}

// tokensRange colors a part of a document.
func tokensRange(
	_ context.Context, s *lsp.Session, p *protocol.SemanticTokensRangeParams,
) (*protocol.SemanticTokens, error) {
	d, err := open(s, p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	return &protocol.SemanticTokens{Data: d.tokens(d.span(p.Range))}, nil
}

// color returns the tokens of the document and those that the client was given before. They are
// kept for the next time as long as the document is open.
func (d *document) color() (before, now coloring) {
	now.data = d.tokens(source.Span{Start: 0, End: d.text.Len()})
	st := stateOf(d.session)
	st.mu.Lock()
	defer st.mu.Unlock()
	now.id = strconv.Itoa(st.nextID())
	before = st.colored[lsp.KeyOf(d.uri)]
	if _, open := st.client.Documents().Get(d.uri); open {
		st.colored[lsp.KeyOf(d.uri)] = now
	}
	return before, now
}

// tokens returns the tokens that overlap a span, encoded (LSP 3.18, textDocument/semanticTokens):
// five numbers each, the place relative to the token before.
func (d *document) tokens(span source.Span) []uint32 {
	list := d.file.Tokens(span)
	data := make([]uint32, 0, 5*len(list))
	var last protocol.Position
	for _, t := range list {
		at := d.position(t.Span.Start)
		from := at.Character
		if at.Line == last.Line {
			from -= last.Character
		}
		length := lsp.Length(d.text.Slice(t.Span), d.enc)
		data = append(data, at.Line-last.Line, from, uint32(length), uint32(t.Kind), uint32(t.Mods))
		last = at
	}
	return data
}

// difference returns the edit that makes one list of numbers the other, none if they are equal.
func difference(before, now []uint32) []protocol.SemanticTokensEdit {
	start := 0
	for start < min(len(before), len(now)) && before[start] == now[start] {
		start++
	}
	if start == len(before) && start == len(now) {
		return []protocol.SemanticTokensEdit{}
	}
	end := 0
	for end < min(len(before), len(now))-start &&
		before[len(before)-1-end] == now[len(now)-1-end] {
		end++
	}
	return []protocol.SemanticTokensEdit{{
		Start:       uint32(start),
		DeleteCount: uint32(len(before) - end - start),
		Data:        slices.Clone(now[start : len(now)-end]),
	}}
}
