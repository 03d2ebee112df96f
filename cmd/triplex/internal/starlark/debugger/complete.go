package debugger

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"go.starlark.net/starlark"
)

// A Completion is a name that may be meant where a client is typing.
type Completion struct {
	Name string
	// Type is the type of the value that the name has, or "keyword".
	Type string
	// Start is the column of the text that Name replaces, Length its characters.
	Start, Length int
}

// keywords are the words with a meaning of their own inside an expression or before a statement.
var keywords = []string{
	"and", "break", "continue", "def", "elif", "else", "for", "if", "in", "lambda", "not", "or",
	"pass", "return", "while",
}

// Complete returns the names that the text before a column may go on with, in a frame: the column
// is that of the cursor, counted in characters from one. After a dot these are attributes of what
// stands before the dot, if that is a name or an attribute itself: nothing is called to find out.
func (r *Run) Complete(ctx context.Context, frame int, text string, column int) (
	[]Completion, error,
) {
	var found []Completion
	err := r.inspect(ctx, func(s *stopped) error {
		f, err := s.frameByID(frame)
		if err != nil {
			return err
		}
		path, prefix, start := cursor([]rune(text), column)
		for name, v := range s.candidates(f, path) {
			if !strings.HasPrefix(name, prefix) {
				continue
			}
			c := Completion{Name: name, Type: "keyword", Start: start}
			if v != nil {
				c.Type = v.Type()
			}
			c.Length = column - start
			found = append(found, c)
		}
		return nil
	})
	slices.SortFunc(found, func(a, b Completion) int { return strings.Compare(a.Name, b.Name) })
	return found, err
}

// cursor takes the text before the cursor apart: the names before the last dot, if the cursor is
// in an attribute, and the beginning of the name at the cursor with its column.
func cursor(text []rune, column int) (path []string, prefix string, start int) {
	end := min(max(column-1, 0), len(text))
	begin := end
	for begin > 0 && (isWord(text[begin-1]) || text[begin-1] == '.') {
		begin--
	}
	names := strings.Split(string(text[begin:end]), ".")
	prefix = names[len(names)-1]
	return names[:len(names)-1], prefix, end - len([]rune(prefix)) + 1
}

func isWord(c rune) bool { return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c) }

// candidates returns the names that may follow the path, with their values. A keyword has none.
func (s *stopped) candidates(f *frame, path []string) starlark.StringDict {
	if len(path) == 0 {
		return s.visible(f)
	}
	v, ok := f.lookup(path[0])
	if !ok {
		v = s.exec.repl[path[0]]
	}
	for _, name := range path[1:] {
		v = attribute(v, name)
	}
	names := make(starlark.StringDict)
	if attrs, ok := v.(starlark.HasAttrs); ok {
		for _, name := range attrs.AttrNames() {
			if attr := attribute(v, name); attr != nil {
				names[name] = attr
			}
		}
	}
	return names
}

// attribute returns an attribute of a value, or nil.
func attribute(v starlark.Value, name string) starlark.Value {
	attrs, ok := v.(starlark.HasAttrs)
	if !ok {
		return nil
	}
	attr, err := attrs.Attr(name)
	if err != nil {
		return nil
	}
	return attr
}

// visible returns every name that means something in the frame.
func (s *stopped) visible(f *frame) starlark.StringDict {
	names := make(starlark.StringDict)
	for _, word := range keywords {
		names[word] = nil
	}
	for _, scope := range []starlark.StringDict{
		starlark.Universe, s.exec.run.cfg.Predeclared, s.exec.repl, f.globals(),
	} {
		for name, v := range scope {
			names[name] = v
		}
	}
	if f.unit != nil {
		for name := range f.unit.layout.loads {
			if v, ok := f.loaded(name); ok {
				names[name] = v
			}
		}
	}
	for _, m := range slices.Concat(f.free(), f.locals()) {
		if m.value != nil {
			names[m.name] = m.value
		}
	}
	return names
}
