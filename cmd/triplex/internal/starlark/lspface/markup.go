package lspface

import (
	"slices"
	"strings"

	"go.lsp.dev/protocol"
)

// markup returns documentation in the best format the client takes.
func markup(formats []protocol.MarkupKind, doc string) *protocol.MarkupContent {
	if slices.Contains(formats, protocol.MarkupKindMarkdown) {
		return &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: markdown(doc)}
	}
	return &protocol.MarkupContent{Kind: protocol.MarkupKindPlainText, Value: doc}
}

// sections are the headings under which documentation explains names, one a line.
var sections = []string{
	"Arg:", "Args:", "Arguments:", "Parameters:", "Params:", "Attributes:", "Fields:", "Keyword args:",
	"Return:", "Returns:", "Yields:", "Raises:", "Fails:", "Note:", "Notes:", "Deprecated:",
}

// markdown makes Markdown of documentation as people write it for Starlark: the sections that
// explain arguments and results become lists. All else is left as it is, as it may be Markdown.
func markdown(doc string) string {
	var out []string
	indent := -1 // of the entries of the section at hand, -1 outside of one, 0 at its start
	for line := range strings.Lines(doc) {
		line = strings.TrimRight(line, " \t\r\n")
		text := strings.TrimLeft(line, " \t")
		depth := len(line) - len(text)
		switch {
		case depth == 0 && slices.Contains(sections, text):
			indent = 0
			if len(out) > 0 && out[len(out)-1] != "" {
				out = append(out, "") // or it would belong to the entry above
			}
			line = "**" + strings.TrimSuffix(text, ":") + "**\n"
		case text == "":
		case depth == 0:
			indent = -1
		case indent == 0, indent > 0 && depth <= indent:
			indent = depth
			line = "- " + entry(text)
		case indent > 0:
			line = "  " + text
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// entry sets off the name that a line explains.
func entry(text string) string {
	name, rest, ok := strings.Cut(text, ": ")
	if !ok || strings.ContainsAny(name, " \t`") {
		return text
	}
	return "`" + name + "`: " + rest
}

// fenced returns a piece of Starlark as a Markdown code block.
func fenced(code string) string {
	fence := "```"
	for strings.Contains(code, fence) {
		fence += "`"
	}
	return fence + "python\n" + code + "\n" + fence
}
