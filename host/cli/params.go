package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// readParams returns the params that a command line names: JSON as it is, @FILE, or - for stdin.
func readParams(arg string, stdin io.Reader) (json.RawMessage, error) {
	text, source, err := []byte(arg), "params", error(nil)
	switch file, named := strings.CutPrefix(arg, "@"); {
	case named && file == "":
		return nil, usagef("want the name of a file behind @")
	case named:
		source = file
		text, err = os.ReadFile(file)
	case arg == "-":
		source = "standard input"
		text, err = io.ReadAll(stdin)
	}
	if err != nil {
		return nil, err
	}
	if err := checkJSON(text); err != nil {
		return nil, usagef("%s: %w", source, err)
	}
	text = bytes.TrimSpace(text)
	if text[0] != '{' && text[0] != '[' {
		return nil, usagef("%s: want an object or an array, as in '{\"a\":1}' or '[1]', not %.40s",
			source, text)
	}
	return text, nil
}

// checkJSON says where text stops being JSON.
func checkJSON(text []byte) error {
	var v json.RawMessage
	err := json.Unmarshal(text, &v)
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return errors.New("want JSON, but there is nothing")
	}
	read := text[:min(int(syntax.Offset), len(text))]
	return fmt.Errorf("no JSON: %w, at the end of %q", syntax, read[max(len(read)-20, 0):])
}

// parseAnswers parses METHOD=JSON pairs.
func parseAnswers(pairs []string) (map[string]json.RawMessage, error) {
	answers := map[string]json.RawMessage{}
	for _, pair := range pairs {
		method, text, ok := strings.Cut(pair, "=")
		if !ok || method == "" {
			return nil, usagef("--answer %s: want METHOD=JSON", pair)
		}
		if err := checkJSON([]byte(text)); err != nil {
			return nil, usagef("--answer %s: %w", pair, err)
		}
		answers[method] = json.RawMessage(text)
	}
	return answers, nil
}
