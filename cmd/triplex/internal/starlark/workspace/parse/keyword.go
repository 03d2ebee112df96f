package parse

// Keywords are the words of the language's grammar, in alphabetical order.
var Keywords = []string{
	"and", "break", "continue", "def", "elif", "else", "for", "if", "in", "lambda", "load", "not",
	"or", "pass", "return", "while",
}

// reserved tells for each word that is a keyword in Python only what to write instead.
var reserved = map[string]string{
	"as":       "",
	"async":    "",
	"await":    "",
	"class":    "a struct or a dict holds data, functions act on it",
	"del":      "a dict has the method pop",
	"except":   "errors cannot be caught",
	"finally":  "errors cannot be caught",
	"from":     `use load("file.star", "name")`,
	"global":   "a function cannot assign to the names of its file",
	"import":   `use load("file.star", "name")`,
	"is":       "compare with ==",
	"nonlocal": "a function cannot assign to the names around it",
	"raise":    "use fail(message)",
	"try":      "errors cannot be caught",
	"with":     "",
	"yield":    "return a list",
}

// IsKeyword reports whether the word is a keyword or reserved: no identifier may be one.
func IsKeyword(word string) bool {
	switch word {
	case "and", "break", "continue", "def", "elif", "else", "for", "if", "in", "lambda", "load",
		"not", "or", "pass", "return", "while":
		return true
	}
	_, ok := reserved[word]
	return ok
}

// IsIdentifier reports whether s can name a variable.
func IsIdentifier(s string) bool { return s != "" && wordLen(s) == len(s) && !IsKeyword(s) }
