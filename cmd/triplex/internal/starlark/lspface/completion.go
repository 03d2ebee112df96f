package lspface

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
	"triplex/lsp"
)

// A completionList is what a client was offered last, for the details it may ask for.
type completionList struct {
	id    int
	items []workspace.Completion
}

// completionData leads from an item back to the list it came with.
type completionData struct {
	List int `json:"list"`
	Item int `json:"item"`
}

var completionKinds = map[workspace.SymbolKind]protocol.CompletionItemKind{
	workspace.VariableSymbol:  protocol.CompletionItemKindVariable,
	workspace.ConstantSymbol:  protocol.CompletionItemKindConstant,
	workspace.FunctionSymbol:  protocol.CompletionItemKindFunction,
	workspace.LoadedSymbol:    protocol.CompletionItemKindReference,
	workspace.ParameterSymbol: protocol.CompletionItemKindVariable,
	workspace.FieldSymbol:     protocol.CompletionItemKindField,
	workspace.MethodSymbol:    protocol.CompletionItemKindMethod,
	workspace.KeywordSymbol:   protocol.CompletionItemKindKeyword,
	workspace.FileSymbol:      protocol.CompletionItemKindFile,
	workspace.FolderSymbol:    protocol.CompletionItemKindFolder,
}

// completion offers what may be written at a place. The documentation follows when the client asks
// for that of one item, unless it cannot.
func completion(
	_ context.Context, s *lsp.Session, p *protocol.CompletionParams,
) (protocol.CompletionResult, error) {
	d, off, err := at(s, &p.TextDocumentPositionParams)
	if err != nil {
		return nil, err
	}
	result := &protocol.CompletionList{Items: []protocol.CompletionItem{}}
	if c := p.Context.TriggerCharacter; c != nil && *c != "." && !d.inString(off) {
		return result, nil // such as the end of a string, or of the head of a loop
	}
	list := stateOf(s).list(d.file.Completions(off))
	later := resolves(s)
	for i, c := range list.items {
		item := protocol.CompletionItem{
			Label:    c.Label,
			Kind:     completionKinds[c.Kind],
			SortText: protocol.NewOptional(fmt.Sprintf("%05d", i)),
			TextEdit: &protocol.TextEdit{Range: d.rng(c.Edit.Span), NewText: c.Edit.New},
		}
		if c.Detail != "" {
			item.Detail = protocol.NewOptional(c.Detail)
		}
		switch {
		case c.Doc == "":
		case later:
			item.Data = protocol.LSPAny(fmt.Sprintf(`{"list":%d,"item":%d}`, list.id, i))
		default:
			item.Documentation = completionDoc(s, c.Doc)
		}
		result.Items = append(result.Items, item)
	}
	return result, nil
}

// list notes what the client is offered.
func (st *session) list(items []workspace.Completion) completionList {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.listed = completionList{st.nextID(), items}
	return st.listed
}

// resolves reports whether the client asks for the documentation of an item when it shows it.
func resolves(s *lsp.Session) bool {
	c := textDocument(s).Completion
	return c != nil && c.CompletionItem != nil &&
		slices.Contains(c.CompletionItem.ResolveSupport.Properties, "documentation")
}

// resolveCompletion adds the documentation of an item of the list that was offered last. One of an
// older list stays as it is.
func resolveCompletion(
	_ context.Context, s *lsp.Session, item *protocol.CompletionItem,
) (*protocol.CompletionItem, error) {
	var at completionData
	if json.Unmarshal(item.Data, &at) != nil {
		return item, nil
	}
	st := stateOf(s)
	st.mu.Lock()
	list := st.listed
	st.mu.Unlock()
	if at.List == list.id && at.Item >= 0 && at.Item < len(list.items) {
		item.Documentation = completionDoc(s, list.items[at.Item].Doc)
	}
	return item, nil
}

func completionDoc(s *lsp.Session, doc string) protocol.InlayHintTooltip {
	var formats []protocol.MarkupKind
	if c := textDocument(s).Completion; c != nil && c.CompletionItem != nil {
		formats = c.CompletionItem.DocumentationFormat
	}
	return markup(formats, doc)
}

// inString reports whether an offset is inside a string literal, which may not be closed yet.
func (d *document) inString(off int) bool {
	for _, t := range d.file.Tokens(source.Span{Start: off, End: off}) {
		if t.Kind != workspace.StringToken || off <= t.Span.Start {
			continue
		}
		text := strings.TrimLeft(d.text.Slice(t.Span), "rb")
		closed := len(text) > 1 && text[len(text)-1] == text[0]
		return off < t.Span.End || !closed
	}
	return false
}
