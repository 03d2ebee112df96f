package lspface

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"

	"go.lsp.dev/protocol"

	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/lsp"
)

// hover tells what is at a place, in Markdown if the client takes that.
func hover(_ context.Context, s *lsp.Session, p *protocol.HoverParams) (*protocol.Hover, error) {
	d, off, err := at(s, &p.TextDocumentPositionParams)
	if err != nil {
		return nil, err
	}
	h := d.file.Hover(off)
	if h == nil {
		return nil, nil
	}
	content := &protocol.MarkupContent{Kind: protocol.MarkupKindPlainText, Value: plainHover(h)}
	able := textDocument(s).Hover
	if able != nil && slices.Contains(able.ContentFormat, protocol.MarkupKindMarkdown) {
		content.Kind, content.Value = protocol.MarkupKindMarkdown, markdownHover(d, h)
	}
	return &protocol.Hover{Contents: content, Range: new(d.rng(h.Span))}, nil
}

func plainHover(h *workspace.Hover) string {
	parts := []string{h.Code, h.Kind}
	if h.From != "" {
		parts[1] += " from " + filepath.Base(h.From)
	}
	if h.Doc != "" {
		parts = append(parts, "", h.Doc)
	}
	return strings.Join(parts, "\n")
}

// parentheses encodes those in a URI, which would end it in Markdown.
var parentheses = strings.NewReplacer("(", "%28", ")", "%29")

func markdownHover(d *document, h *workspace.Hover) string {
	kind := h.Kind
	if h.From != "" {
		u := string(stateOf(d.session).uriOf(h.From))
		kind += fmt.Sprintf(" from [%s](%s)", filepath.Base(h.From), parentheses.Replace(u))
	}
	parts := []string{fenced(h.Code), kind}
	if h.Doc != "" {
		parts = append(parts, markdown(h.Doc))
	}
	return strings.Join(parts, "\n\n")
}

// signatureHelp tells which parameter of a call the argument at a place is for.
func signatureHelp(
	_ context.Context, s *lsp.Session, p *protocol.SignatureHelpParams,
) (*protocol.SignatureHelp, error) {
	d, off, err := at(s, &p.TextDocumentPositionParams)
	if err != nil {
		return nil, err
	}
	call := d.file.Call(off)
	if call == nil {
		return nil, nil
	}
	able := signatureAbilities(s)
	label, spans := call.Signature.Label()
	info := protocol.SignatureInformation{Label: label}
	if call.Signature.Doc != "" {
		info.Documentation = markup(able.DocumentationFormat, call.Signature.Doc)
	}
	offsets := able.ParameterInformation != nil &&
		isTrue(able.ParameterInformation.LabelOffsetSupport)
	for i, param := range call.Signature.Params {
		pi := protocol.ParameterInformation{Label: protocol.String(label[spans[i][0]:spans[i][1]])}
		if offsets {
			pi.Label = protocol.ParameterInformationLabelTuple{
				utf16Len(label[:spans[i][0]]), utf16Len(label[:spans[i][1]]),
			}
		}
		if param.Doc != "" {
			pi.Documentation = markup(able.DocumentationFormat, param.Doc)
		}
		info.Parameters = append(info.Parameters, pi)
	}
	return &protocol.SignatureHelp{
		Signatures:      []protocol.SignatureInformation{info},
		ActiveSignature: new(uint32(0)),
		ActiveParameter: activeParameter(call, able),
	}, nil
}

// activeParameter returns the index of the parameter to highlight. Where there is none, clients
// that do not know null get an index behind the last.
func activeParameter(
	call *workspace.Call, able *protocol.ClientSignatureInformationOptions,
) protocol.Nullable[uint32] {
	switch {
	case call.Active >= 0:
		return protocol.NewNullable(uint32(call.Active))
	case isTrue(able.NoActiveParameterSupport):
		return protocol.NullNullable[uint32]()
	}
	return protocol.NewNullable(uint32(len(call.Signature.Params)))
}

func signatureAbilities(s *lsp.Session) *protocol.ClientSignatureInformationOptions {
	if h := textDocument(s).SignatureHelp; h != nil && h.SignatureInformation != nil {
		return h.SignatureInformation
	}
	return new(protocol.ClientSignatureInformationOptions)
}

// utf16Len returns the length of a part of a label, which is in UTF-16 whatever positions are in
// (LSP 3.18, ParameterInformation).
func utf16Len(s string) uint32 { return uint32(len(utf16.Encode([]rune(s)))) }
