package host

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
)

func TestIDKey(t *testing.T) {
	tests := []struct {
		name, a, b string
		same       bool
	}{
		{"same number", "7", "7", true},
		{"number and string", "7", `"7"`, false},
		{"null and string", "null", `"null"`, false},
		{"numbers of one value", "1", "1.0", false},
		{"zero and minus zero", "0", "-0", false},
		{"past 2^53", "9007199254740992", "9007199254740993", false},
		{"same string", `"a b"`, `"a b"`, true},
		{"case", `"a"`, `"A"`, false},
		{"escaped letter", `"n\u00e9"`, `"né"`, true},
		{"case of digits", `"\u00E9"`, `"\u00e9"`, true},
		{"escaped slash", `"a\/b"`, `"a/b"`, true},
		{"quote", `"\""`, `"\u0022"`, true},
		{"backslash", `"\\n"`, `"\u005cn"`, true},
		{"backslash and line feed", `"\\n"`, `"\n"`, false},
		{"control characters", `"\b\f\n\r\t"`, `"\u0008\u000c\u000a\u000D\u0009"`, true},
		{"NUL", `"x\u0000y"`, `"xy"`, false},
		{"surrogate pair", `"\ud83c\udf89"`, `"🎉"`, true},
		{"lone surrogates", `"\ud800"`, `"\ud801"`, false},
		{"lone surrogate and replacement", `"\ud800"`, `"\ufffd"`, false},
		{"same lone surrogate", `"\uD800x"`, `"\ud800\u0078"`, true},
		{"surrogates the wrong way round", `"\udf89\ud83c"`, `"\ud83c\udf89"`, false},
		{"high surrogate twice", `"\ud83c\ud83c\udf89"`, `"\ud83c🎉"`, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := idKey(json.RawMessage(tt.a)), idKey(json.RawMessage(tt.b))
			if (a == b) != tt.same {
				t.Errorf("keys of %s and %s are %q and %q, want same: %t", tt.a, tt.b, a, b, tt.same)
			}
		})
	}
}

func TestDecodeID(t *testing.T) {
	tests := []struct {
		raw  string
		want jsonrpc2.ID
	}{
		{"0", jsonrpc2.ID{}},
		{"7", jsonrpc2.ID{Num: 7}},
		{"18446744073709551615", jsonrpc2.ID{Num: 1<<64 - 1}},
		{"18446744073709551616", jsonrpc2.ID{Str: "18446744073709551616", IsString: true}},
		{"-1", jsonrpc2.ID{Num: 1<<64 - 1}},
		{"-0", jsonrpc2.ID{}},
		{"-9223372036854775809", jsonrpc2.ID{Str: "-9223372036854775809", IsString: true}},
		{"1.50", jsonrpc2.ID{Str: "1.50", IsString: true}},
		{"1e3", jsonrpc2.ID{Str: "1e3", IsString: true}},
		{"null", jsonrpc2.ID{}},
		{`""`, jsonrpc2.ID{IsString: true}},
		{`"7"`, jsonrpc2.ID{Str: "7", IsString: true}},
		{`"n\u00e9\n"`, jsonrpc2.ID{Str: "né\n", IsString: true}},
		{`"a\ud800b"`, jsonrpc2.ID{Str: "a\uFFFDb", IsString: true}},
	}
	for _, tt := range tests {
		t.Run(tt.raw, func(t *testing.T) {
			if got := decodeID(json.RawMessage(tt.raw)); got != tt.want {
				t.Errorf("decoded as %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestIDAllocations(t *testing.T) {
	table := map[string]bool{}
	for _, id := range []string{"12345", `"0b1f6c1e-7b0e-4a57-9ec0-8b5f3f6a8d2e"`} {
		raw := json.RawMessage(id)
		allocs := testing.AllocsPerRun(100, func() {
			if table[idKey(raw)] || decodeID(raw) == (jsonrpc2.ID{}) {
				t.Fatal("never so")
			}
		})
		if allocs != 0 {
			t.Errorf("%s: %v allocations, want none", id, allocs)
		}
	}
}

func FuzzID(f *testing.F) {
	for _, seed := range [][2]string{
		{"1", `"1"`}, {"1.0", "1e0"}, {`"n\u00e9"`, `"né"`}, {`"\ud83d\ude00"`, `"😀"`},
		{`"\ud800"`, `"\ufffd"`}, {`"\\\/\""`, `"\u005c/\u0022"`}, {"-0", "null"},
	} {
		f.Add([]byte(seed[0]), []byte(seed[1]))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if !validID(a) || !validID(b) || validJSON(a, 0) != nil || validJSON(b, 0) != nil {
			t.Skip("no ids")
		}
		a, b = []byte(strings.TrimSpace(string(a))), []byte(strings.TrimSpace(string(b)))
		x, y := plainID(t, a), plainID(t, b)
		if strings.ContainsRune(x+y, '\uFFFD') {
			return // encoding/json has one character for all lone surrogates
		}
		if same := idKey(a) == idKey(b); same != (x == y) {
			t.Errorf("keys of %s and %s are the same: %t", a, b, same)
		}
		if id := decodeID(a); id.IsString && isString(a) && `"`+id.Str != x {
			t.Errorf("%s decodes as %q, want %q", a, id.Str, x[1:])
		}
	})
}

// plainID returns a number as it is written and a string as encoding/json decodes it, after a
// quote to tell the two apart.
func plainID(t *testing.T, raw []byte) string {
	if !isString(raw) {
		return string(raw)
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatal(err)
	}
	return `"` + s
}
