package workspace

import (
	"strings"

	"go.starlark.net/syntax"
)

// docstring returns the text of the string that begins a body, without the indentation of its
// lines and without blank lines around it.
func docstring(body []syntax.Stmt) string {
	if len(body) == 0 {
		return ""
	}
	stmt, ok := body[0].(*syntax.ExprStmt)
	if !ok {
		return ""
	}
	lit, ok := stmt.X.(*syntax.Literal)
	if !ok || lit.Token != syntax.STRING {
		return ""
	}
	return dedent(lit.Value.(string))
}

// dedent removes the indentation that all lines but the first share.
func dedent(doc string) string {
	lines := strings.Split(strings.ReplaceAll(doc, "\t", "        "), "\n")
	common := -1
	for _, line := range lines[1:] {
		if trimmed := strings.TrimLeft(line, " "); strings.TrimSpace(trimmed) != "" {
			if indent := len(line) - len(trimmed); common < 0 || indent < common {
				common = indent
			}
		}
	}
	for i, line := range lines {
		if i > 0 {
			line = line[min(max(common, 0), len(line)):]
		}
		lines[i] = strings.TrimRight(line, " ")
	}
	lines[0] = strings.TrimLeft(lines[0], " ")
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// paramDocs returns what the section "Args:" of a documentation says of each parameter. An entry
// begins with "name:" or "name (type):" and goes on in the lines indented deeper.
func paramDocs(doc string) map[string]string {
	docs := make(map[string]string)
	entry, name := -1, ""
	inside := false
	for line := range strings.SplitSeq(doc, "\n") {
		text := strings.TrimSpace(line)
		indent := len(line) - len(strings.TrimLeft(line, " "))
		switch {
		case text == "Args:" || text == "Arguments:" || text == "Parameters:":
			inside, entry, name = true, -1, ""
		case !inside || text == "":
		case indent == 0:
			inside = false
		case entry < 0 || indent <= entry:
			head, rest, ok := strings.Cut(text, ":")
			head, _, _ = strings.Cut(head, "(")
			if name = strings.TrimLeft(strings.TrimSpace(head), "*"); ok && name != "" {
				docs[name] = strings.TrimSpace(rest)
			}
			entry = indent
		case name != "":
			docs[name] = strings.TrimSpace(docs[name] + " " + text)
		}
	}
	return docs
}
