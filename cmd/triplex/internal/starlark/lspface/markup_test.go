package lspface

import "testing"

func TestMarkdown(t *testing.T) {
	for _, tt := range []struct{ name, doc, want string }{
		{"plain", "Does *it*.\n\nReally.", "Does *it*.\n\nReally."},
		{"a section", "Does it.\n\nArgs:\n  x: what.\n  **kw: the rest,\n    of two lines.\n",
			"Does it.\n\n**Args**\n\n- `x`: what.\n- `**kw`: the rest,\n  of two lines."},
		{"two sections", "Args:\n\tx: what.\nReturns:\n\tA list: of two.\n\nAll else.\n    code",
			"**Args**\n\n- `x`: what.\n\n**Returns**\n\n- A list: of two.\n\nAll else.\n    code"},
		{"no section", "So:\n    f(x)", "So:\n    f(x)"},
		// The lines of an example became one of prose.
		{"an example", "Example:\n\n  def f():\n    g()\n\n  f()\n\nEnd.",
			"**Example**\n\n```python\ndef f():\n  g()\n\nf()\n```\n\nEnd."},
		{"an example in Markdown", "Examples:\n  So:\n  ```\n  f(x)\n  ```",
			"**Examples**\n\nSo:\n```\nf(x)\n```"},
		{"an example without code", "Usage:\nf(x)", "**Usage**\n\n\nf(x)"},
		{"line ends", "a \r\nb", "a\nb"},
		{"nothing", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := markdown(tt.doc); got != tt.want {
				t.Errorf("markdown(%q) = %q, want %q", tt.doc, got, tt.want)
			}
		})
	}
}

// A code block must not end before the code does.
func TestFenced(t *testing.T) {
	if got, want := fenced("x = \"```\""), "````python\nx = \"```\"\n````"; got != want {
		t.Errorf("fenced = %q, want %q", got, want)
	}
}
