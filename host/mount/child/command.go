package child

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// portWord is the text of [Config.Args] that stands for the port the host picks.
const portWord = "${port}"

// Split splits a command line into words by the rules of a POSIX shell, without running one:
// quotes, backslashes, variables, ~ and braces work; globs stay as they are; commands,
// redirections and other syntax are refused. Variables come from env, a list of "key=value" (nil
// means the environment of the process), and must be set there, but for ${port}, which stays in
// the words for [Start] to fill in.
func Split(line string, env []string) ([]string, error) {
	words, err := parseWords(line)
	if err != nil {
		return nil, fmt.Errorf("command %q: %w", line, err)
	}
	if env == nil {
		env = os.Environ()
	}
	// The last of two equal keys wins, as it does for a child process.
	env = append(env[:len(env):len(env)], "port="+portWord)
	config := &expand.Config{Env: expand.ListEnviron(env...), NoUnset: true}
	args, err := expand.Fields(config, words...)
	var unset expand.UnsetParameterError
	if errors.As(err, &unset) {
		return nil, fmt.Errorf("command %q: the variable %q is not set; single quotes keep "+
			"a $ as it is", line, unset.Node.Param.Value)
	}
	if err != nil {
		return nil, fmt.Errorf("command %q: %w", line, err)
	}
	if len(args) == 0 {
		return nil, fmt.Errorf("command %q: no words in it; name a program to run", line)
	}
	return args, nil
}

// parseWords parses line and refuses what only a running shell could expand.
func parseWords(line string) ([]*syntax.Word, error) {
	var words []*syntax.Word
	for word, err := range syntax.NewParser().WordsSeq(strings.NewReader(line)) {
		if err != nil {
			return nil, fmt.Errorf("not a list of shell words: %w", err)
		}
		if err := checkWord(word); err != nil {
			return nil, err
		}
		words = append(words, word)
	}
	return words, nil
}

func checkWord(word *syntax.Word) (err error) {
	syntax.Walk(word, func(node syntax.Node) bool {
		switch node.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			err = fmt.Errorf("column %d asks for the output of another command, but no shell is "+
				"run; use sh -c '...' for that", node.Pos().Col())
		}
		return err == nil
	})
	return err
}
