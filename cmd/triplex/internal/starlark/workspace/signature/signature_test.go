package signature

import (
	"fmt"
	"testing"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct{ text, name, want string }{
		{"glob", "glob", ""},
		{"native.glob", "native.glob", ""},
		{"f()", "f", "f()"},
		{"f(x, y = (1, 2), /) -> int", "f", "f(x, y = (1, 2), /) -> int"},
		{"f(a, /, b, *args, c, d = a[0], **kw)", "f", "f(a, /, b, *args, c, d = a[0], **kw)"},
		{"f(a, *, b = ())", "f", "f(a, *, b = ())"},
		{"ctx.run(cmd)", "ctx.run", "ctx.run(cmd)"},
	} {
		t.Run(tt.text, func(t *testing.T) {
			name, fn, err := Parse(tt.text)
			if err != nil || name != tt.name {
				t.Fatalf("Parse = %q, %v", name, err)
			}
			if got := ""; fn != nil {
				got = fn.String()
				if got != tt.want {
					t.Errorf("signature = %q, want %q", got, tt.want)
				}
			} else if tt.want != "" {
				t.Errorf("no signature, want %q", tt.want)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{
		"", "for", "a..b", "1x", "f(", "f(x", "f(x y)", "f(x): pass\ndef g()", "f(x) y",
	} {
		t.Run(text, func(t *testing.T) {
			if name, fn, err := Parse(text); err == nil {
				t.Errorf("Parse = %q, %v, want an error", name, fn)
			}
		})
	}
}

func TestArguments(t *testing.T) {
	_, fn, err := Parse("f(a, /, b, *args, c = 1, **kw)")
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(fn.At(0), fn.At(1), fn.At(2), fn.At(9),
		fn.Named("a"), fn.Named("b"), fn.Named("c"), fn.Named("zz"))
	if want := "0 1 2 2 4 1 3 4"; got != want {
		t.Errorf("parameters = %s, want %s", got, want)
	}
}

func ExampleSignature_Label() {
	_, fn, _ := Parse("copy(src, *, mode = \"0644\")")
	text, params := fn.Label()
	fmt.Println(text)
	for _, p := range params {
		fmt.Println(text[p[0]:p[1]])
	}
	// Output:
	// copy(src, *, mode = "0644")
	// src
	// mode = "0644"
}
