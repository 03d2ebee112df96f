package host

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestValidJSON(t *testing.T) {
	tests := []struct {
		name, text string
		want       string // the error; empty if there is to be none
	}{
		{"empty", "", "at byte 0: expected a value, found the end of the text"},
		{"white space alone", " \t\r\n", "at byte 4: expected a value, found the end of the text"},
		{"white space around", " \t\r\n0\n\r\t ", ""},
		{"other white space", "\v0", `at byte 0: expected a value, found '\v'`},
		{"byte order mark", "\uFEFF0", `at byte 0: expected a value, found '\ufeff'`},
		{"NUL behind", "0\x00", `at byte 1: expected nothing after the value, found '\x00'`},
		{"two values", "{} {}", "at byte 3: expected nothing after the value, found '{'"},
		{"bare word", "abc", "at byte 0: expected a value, found 'a'"},

		{"literals", "[true,false,null]", ""},
		{"literal in capitals", "True", "at byte 0: expected a value, found 'T'"},
		{"literal cut", "nul", "at byte 3: expected null, found the end of the text"},
		{"literal misspelt", "[trux]", "at byte 4: expected true, found 'x'"},
		{"literal too long", "falsey", "at byte 5: expected nothing after the value, found 'y'"},

		{"numbers", "[0,-0,10,1.50,-1e5,1E+5,1e-05,18446744073709551616]", ""},
		{"leading zero", "012", "at byte 1: expected nothing after the value, found '1'"},
		{"plus", "+1", "at byte 0: expected a value, found '+'"},
		{"minus alone", "[-]", "at byte 2: expected a digit, found ']'"},
		{"minus before zeros", "-00", "at byte 2: expected nothing after the value, found '0'"},
		{"point first", ".5", "at byte 0: expected a value, found '.'"},
		{"point last", "5.", "at byte 2: expected a digit, found the end of the text"},
		{"point then exponent", "5.e1", "at byte 2: expected a digit, found 'e'"},
		{"exponent without digits", "[1e]", "at byte 3: expected a digit, found ']'"},
		{"exponent with sign only", "1e+", "at byte 3: expected a digit, found the end of the text"},
		{"hexadecimal", "0x1", "at byte 1: expected nothing after the value, found 'x'"},

		{"escapes", `"\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00"`, ""},
		{"lone surrogate", `"\ud800"`, ""},
		{"DEL", "\"\x7f\"", ""},
		{"unknown escape", `"\a"`, "at byte 2: expected one of \"\\/bfnrtu after a backslash, found 'a'"},
		{"escape cut", `"\`, "at byte 2: expected one of \"\\/bfnrtu after a backslash, found the end"},
		{"hex digits cut", `"\u12"`, `at byte 5: expected a hexadecimal digit, found '"'`},
		{"hex digits wrong", `"\u12G4"`, "at byte 5: expected a hexadecimal digit, found 'G'"},
		{"control character", "\"abc\ndefghijklmnop\"", `at byte 4: expected a closing quote or`},
		{"control character late", "\"abcdefghijkl\x1f\"", `at byte 13: expected a closing quote or`},
		{"unclosed", `"abcdefghijkl`, "at byte 13: expected a closing quote or"},
		{"unclosed behind an escape", `["\n`, "at byte 4: expected a closing quote or"},
		{"single quotes", "'a'", `at byte 0: expected a value, found '\''`},

		{"text of many bytes", `"é→🎉 naïve, 日本語"`, ""},
		{"cut character", "\"abc\xe6\x97\"", "at byte 4: expected valid UTF-8, found byte 0xE6"},
		{"cut character at the end", "\"abc\xe6", "at byte 5: expected a closing quote or"},
		{"overlong slash", "\"abcdefgh\xc0\xaf\"", "at byte 9: expected valid UTF-8, found byte 0xC0"},
		{"surrogate in UTF-8", "\"é\xed\xa0\x80\"", "at byte 3: expected valid UTF-8, found byte 0xED"},
		{"beyond Unicode", "\"\xf4\x90\x80\x80\"", "at byte 1: expected valid UTF-8, found byte 0xF4"},
		{"continuation alone", "[\"\\n\x80\"]", "at byte 4: expected valid UTF-8, found byte 0x80"},
		{"bad name", "{\"\xff\":1}", "at byte 2: expected valid UTF-8, found byte 0xFF"},
		{"byte outside a string", "[\xff]", "at byte 1: expected a value, found byte 0xFF"},

		{"empty array and object", `[[],{},[ ],{ }]`, ""},
		{"nested", `[{"a":[{"b":[[]]},{}],"c":{}},[1,[2]]]`, ""},
		{"comma first", "[,1]", "at byte 1: expected a value, found ','"},
		{"comma last", "[1,]", "at byte 3: expected a value, found ']'"},
		{"comma last in object", `{"a":1,}`, "at byte 7: expected a member name in quotes, found '}'"},
		{"no comma", "[1 2]", "at byte 3: expected ',' or ']' after an element, found '2'"},
		{"no comma in object", `{"a":1 "b"}`, "at byte 7: expected ',' or '}' after a member, found"},
		{"wrong bracket", `[1}`, "at byte 2: expected ',' or ']' after an element, found '}'"},
		{"wrong brace", `[{"a":1]]`, "at byte 7: expected ',' or '}' after a member, found ']'"},
		{"name without quotes", "{a:1}", "at byte 1: expected a member name in quotes, found 'a'"},
		{"number as name", "{1:1}", "at byte 1: expected a member name in quotes, found '1'"},
		{"no colon", `{"a" 1}`, "at byte 5: expected ':' after a member name, found '1'"},
		{"no value", `{"a":}`, "at byte 5: expected a value, found '}'"},
		{"comment", `[1/**/]`, "at byte 2: expected ',' or ']' after an element, found '/'"},
		{"unclosed array", "[1,[2]", "at byte 6: expected ',' or ']' after an element, found the end"},
		{"unclosed object", `{"a":{}`, "at byte 7: expected ',' or '}' after a member, found the end"},
		{"one bracket too many", "[]]", "at byte 2: expected nothing after the value, found ']'"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkFault(t, validJSON([]byte(tt.text), 0), tt.want)
			// Inside an array, whose elements SplitBatch checks, the same holds.
			_, batchErr := SplitBatch([]byte("["+tt.text+"]"), 0, 3)
			if tt.want == "" && batchErr != nil {
				t.Errorf("as an element of a batch: %v", batchErr)
			}
			if got := wellFormed([]byte(tt.text)); got != (tt.want == "") {
				t.Errorf("encoding/json calls the text valid: %t", got)
			}
		})
	}
}

// wellFormed is what the standard library says of text.
func wellFormed(text []byte) bool { return json.Valid(text) && utf8.Valid(text) }

// checkFault checks that err is nil if want is empty, and else the fault that want starts.
func checkFault(t *testing.T, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("refused: %v", err)
	case want != "" && err == nil:
		t.Errorf("accepted, want an error %s", want)
	case want != "" && !strings.HasPrefix(err.Error(), "invalid JSON "+want):
		t.Errorf("error %q, want one that starts %q", err, "invalid JSON "+want)
	}
}

// A string is read eight bytes at a time: each character that ends or damages one must be found
// at each place of a word, near the end of the text and far from it.
func TestStringPositions(t *testing.T) {
	stops := []string{`"`, `\q`, "\x00", "\x1f", "\xff", "é", "\u0080", "\x7f", "!", "#", "]"}
	for _, stop := range stops {
		for before := range 20 {
			for behind := range 20 {
				text := `"` + strings.Repeat("a", before) + stop + strings.Repeat("b", behind) + `"`
				want := wellFormed([]byte(text))
				if err := validJSON([]byte(text), 0); (err == nil) != want {
					t.Errorf("%q: %v, want valid: %t", text, err, want)
				}
			}
		}
	}
}

func TestDepth(t *testing.T) {
	arrays := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	objects := func(n int) string {
		return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n)
	}
	mixed := func(n int) string { // object, array, array, object, array, array ...
		text := "0"
		for i := range n {
			text = "[" + text + ",1]"
			if i%3 == 2 {
				text = `{"a":` + text[1:len(text)-3] + `,"b":2}`
			}
		}
		return text
	}
	tests := []struct {
		name  string
		text  string
		depth int
		want  string
	}{
		{"scalar needs no level", "1", 1, ""},
		{"at the limit", arrays(5), 5, ""},
		{"over the limit", arrays(6), 5, "at byte 5: expected at most 5 levels, found '['"},
		{"siblings add nothing", "[[[]],[[]],{},[1,[]]]", 3, ""},
		{"default at the limit", arrays(10_000), 0, ""},
		{"default over the limit", arrays(10_001), 0, "at byte 10000: expected at most 10000 levels"},
		{"63 levels", mixed(63), 63, ""},
		{"64 levels", mixed(64), 64, ""},
		{"65 levels", mixed(65), 65, ""},
		{"1000 levels", mixed(1000), 1000, ""},
		{"wrong bracket behind 129 levels", objects(129)[:6*129] + "]", 0, "at byte 774: "},
		{"100k arrays", arrays(100_000), 0, "at byte 10000: expected at most 10000 levels"},
		{"100k objects", objects(100_000), 0, "at byte 50000: expected at most 10000 levels"},
		{"100k arrays, none closed", strings.Repeat("[", 100_000), math.MaxInt,
			"at byte 100000: expected a value"},
		{"100k arrays allowed", arrays(100_000), 100_000, ""},
		{"100k objects allowed", objects(100_000), 100_000, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkFault(t, validJSON([]byte(tt.text), tt.depth), tt.want)
		})
	}
}

// TestParsingSuite runs the rows of nst/JSONTestSuite, as parameters or whole messages.
func TestParsingSuite(t *testing.T) {
	data, err := os.ReadFile("../../shared/cases/json-parsing.json")
	if err != nil {
		t.Skipf("the suite is not here: %v", err)
	}
	var suite struct {
		Table struct {
			Rows []struct {
				Name  string
				Class string
				Whole bool
				Data  caseBytes
			}
		}
	}
	if err := json.Unmarshal(data, &suite); err != nil {
		t.Fatal(err)
	}
	if len(suite.Table.Rows) == 0 {
		t.Fatal("the suite has no rows")
	}
	for _, row := range suite.Table.Rows {
		t.Run(row.Name, func(t *testing.T) {
			params := "[" + string(row.Data) + "]"
			frame := `{"jsonrpc":"2.0","id":1,"method":"echo","params":` + params + `}`
			if row.Whole {
				frame = string(row.Data)
			}
			var m Message
			fault := JSONRPC{}.Decode([]byte(frame), &m)
			switch {
			case row.Class == "n" && (fault == nil || fault.Code != -32700):
				t.Errorf("damaged text gives %v, want -32700", fault)
			case row.Class == "y" && fault != nil:
				t.Errorf("valid text gives %v", fault)
			case row.Class == "y" && string(m.Params) != params:
				t.Errorf("params are %q, want %q", m.Params, params)
			case row.Class == "i" && fault != nil && m.Kind != KindInvalid:
				t.Errorf("both a message and %v", fault)
			}
		})
	}
}

// caseBytes is the BYTES of the case format, as far as the parsing suite needs it.
type caseBytes string

func (b *caseBytes) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, (*string)(b))
	}
	var form struct {
		Base64 string
		Repeat string
		Times  int
	}
	if err := json.Unmarshal(data, &form); err != nil {
		return err
	}
	raw, err := base64.StdEncoding.DecodeString(form.Base64)
	*b = caseBytes(string(raw) + strings.Repeat(form.Repeat, form.Times))
	return err
}
