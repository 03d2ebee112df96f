package cli

import "testing"

func TestSize(t *testing.T) {
	for _, tc := range []struct {
		text, want string // "" if text is refused
	}{
		{"1", "1B"}, {"1B", "1B"}, {"1000", "1000B"}, {"1024", "1KiB"}, {"64KiB", "64KiB"},
		{"65536KiB", "64MiB"}, {"2GiB", "2GiB"},
		{"", ""}, {"KiB", ""}, {"0", ""}, {"-1", ""}, {"1.5MiB", ""}, {"1KB", ""}, {"1 KiB", ""},
		{"9223372036854775807GiB", ""},
	} {
		t.Run(tc.text, func(t *testing.T) {
			var s size
			err := s.Set(tc.text)
			if tc.want == "" && err == nil {
				t.Errorf("it is accepted as %s", &s)
			}
			if tc.want != "" && (err != nil || s.String() != tc.want) {
				t.Errorf("got %s, %v; want %s", &s, err, tc.want)
			}
		})
	}
}

func TestSuggest(t *testing.T) {
	names := []string{"serve", "sessions", "call"}
	for word, want := range map[string]string{
		"srve": "; did you mean serve?", "session": "; did you mean sessions?",
		"cal": "; did you mean call?", "xyz": "", "": "",
	} {
		if got := suggest(word, names); got != want {
			t.Errorf("for %q it says %q, want %q", word, got, want)
		}
	}
}
