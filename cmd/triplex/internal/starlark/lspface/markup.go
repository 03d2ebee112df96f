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

// examples are the headings of sections that hold code.
var examples = []string{"Example:", "Examples:", "Usage:"}

// markdown makes Markdown of documentation as people write it for Starlark: the sections that
// explain arguments and results become lists, and examples code. All else is left as it is, as it
// may be Markdown.
func markdown(doc string) string {
	var out []string
	indent := -1 // of the entries of the section at hand, -1 outside of one, 0 at its start
	lines := strings.Split(strings.TrimRight(doc, "\r\n"), "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], " \t\r")
		text := strings.TrimLeft(line, " \t")
		depth := len(line) - len(text)
		switch {
		case depth == 0 && slices.Contains(examples, text):
			code := indented(lines[i+1:])
			i += len(code)
			indent, line = -1, "**"+strings.TrimSuffix(text, ":")+"**\n\n"+example(code)
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

// indented returns the lines that belong to a heading above them: those that are indented.
func indented(lines []string) []string {
	n := 0
	for i, line := range lines {
		switch {
		case strings.TrimSpace(line) == "":
		case line[0] == ' ' || line[0] == '\t':
			n = i + 1
		default:
			return lines[:n]
		}
	}
	return lines[:n]
}

// example returns the lines of an example as a code block, or as they are if they hold one.
func example(lines []string) string {
	margin := -1
	for _, line := range lines {
		text := strings.TrimLeft(line, " \t")
		if depth := len(line) - len(text); strings.TrimSpace(text) != "" &&
			(margin < 0 || depth < margin) {
			margin = depth
		}
	}
	var code []string
	for _, line := range lines {
		code = append(code, strings.TrimRight(line[min(max(margin, 0), len(line)):], " \t\r"))
	}
	text := strings.Trim(strings.Join(code, "\n"), "\n")
	if text == "" || strings.Contains(text, "```") {
		return text
	}
	return fenced(text)
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
