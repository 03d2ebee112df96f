package cli

import (
	"slices"
	"strings"
	"testing"
)

func TestSpell(t *testing.T) {
	for args, want := range map[string]string{
		"":                                   "",
		"--stdio":                            "serve --stdio",
		"--log-level debug":                  "serve --log-level debug",
		"--log-level debug call A M":         "--log-level debug call A M",
		"--help":                             "--help",
		"--version":                          "--version",
		"call A M":                           "call A M",
		"serve --socket 1":                   "serve --socket 1",
		"serve --socket --port=1":            "serve --port=1",
		"serve --socket --port 1":            "serve --port 1",
		"call M -- server --socket --port=1": "call M -- server --socket --port=1",
	} {
		t.Run(args, func(t *testing.T) {
			got := spell(strings.Fields(args), []string{"serve", "call"})
			if !slices.Equal(got, strings.Fields(want)) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
