package child_test

import (
	"slices"
	"strings"
	"testing"

	"triplex/host/mount/child"
)

func TestSplit(t *testing.T) {
	env := []string{"HOME=/home/me", "DIR=a b", "port=1"}
	tests := []struct {
		name, line string
		want       []string
		err        string
	}{
		{"plain", "gopls serve", []string{"gopls", "serve"}, ""},
		{"quotes", `a 'b c' "d $HOME"`, []string{"a", "b c", "d /home/me"}, ""},
		{"backslash", `a\ b c\"d`, []string{"a b", `c"d`}, ""},
		{"home", "~/bin/server", []string{"/home/me/bin/server"}, ""},
		{"variable in quotes is one word", `x "$DIR"`, []string{"x", "a b"}, ""},
		{"default value", "${NONE:-fallback}", []string{"fallback"}, ""},
		{"port", "dlv dap --listen=:${port}", []string{"dlv", "dap", "--listen=:${port}"}, ""},
		{"port is not a variable", "x $port", []string{"x", "${port}"}, ""},
		{"glob stays", "ls *.go", []string{"ls", "*.go"}, ""},
		{"json in quotes", `x '{"a":1,"b":[]}'`, []string{"x", `{"a":1,"b":[]}`}, ""},
		{"command substitution", "a $(id)", nil, "column 3 asks for the output of another"},
		{"backquotes", "a `id`", nil, "asks for the output of another command"},
		// Expanding a process substitution used to panic in the shell library.
		{"process substitution", "a <(id)", nil, "asks for the output of another command"},
		{"nested substitution", `a "b ${c:-$(id)}"`, nil, "asks for the output of another"},
		{"pipe", "a | b", nil, "not a list of shell words"},
		{"redirection", "a > b", nil, "not a list of shell words"},
		{"two commands", "a; b", nil, "not a list of shell words"},
		{"open quote", "a 'b", nil, "without closing quote"},
		{"unset variable", "a $NONE", nil, `the variable "NONE" is not set`},
		{"empty", "  ", nil, "name a program to run"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := child.Split(tt.line, env)
			if tt.err == "" && err != nil || tt.err != "" &&
				(err == nil || !strings.Contains(err.Error(), tt.err)) {
				t.Fatalf("error %v, want one with %q", err, tt.err)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestSplitTakesTheProcessEnvironment(t *testing.T) {
	t.Setenv("CHILD_TEST_WORD", "value")
	got, err := child.Split("x $CHILD_TEST_WORD", nil)
	if err != nil || !slices.Equal(got, []string{"x", "value"}) {
		t.Errorf("got %q, %v", got, err)
	}
}
