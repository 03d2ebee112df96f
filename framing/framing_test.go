package framing

import (
	"encoding/json"
	"flag"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, f := range []Framing{Auto, ContentLength, Newline} {
		got, err := Parse(f.String())
		if err != nil || got != f {
			t.Errorf("Parse(%q) = %v, %v; want %v", f.String(), got, err, f)
		}
	}
	for _, name := range []string{"", "Auto", "lines", "content_length"} {
		_, err := Parse(name)
		if err == nil || !strings.Contains(err.Error(), "want auto, content-length or newline") {
			t.Errorf("Parse(%q): error %v does not say what would be right", name, err)
		}
	}
}

func TestStringOfUnknown(t *testing.T) {
	if got := Framing(9).String(); got != "Framing(9)" {
		t.Errorf("Framing(9).String() = %q", got)
	}
	if _, err := json.Marshal(Framing(9)); err == nil {
		t.Error("a value that is no framing was marshalled")
	}
}

func TestText(t *testing.T) {
	var f Framing
	flags := flag.NewFlagSet("test", flag.ContinueOnError)
	flags.TextVar(&f, "framing", Auto, "")
	if err := flags.Parse([]string{"-framing", "newline"}); err != nil || f != Newline {
		t.Errorf("as a flag: %v, %v; want newline", f, err)
	}
	if err := json.Unmarshal([]byte(`"content-length"`), &f); err != nil || f != ContentLength {
		t.Errorf("from JSON: %v, %v; want content-length", f, err)
	}
	if b, err := json.Marshal(f); err != nil || string(b) != `"content-length"` {
		t.Errorf("to JSON: %s, %v", b, err)
	}
	if err := json.Unmarshal([]byte(`"tabs"`), &f); err == nil || f != ContentLength {
		t.Errorf("a bad name: %v, %v; want an error and no change", f, err)
	}
}
