package host

import (
	"encoding/json"
	"fmt"
	"testing"
)

func TestMember(t *testing.T) {
	const object = ` {"a":{"b":[1, 2],"B":2,"c":{}},"n":null,"a b":"x","d":1,"d":{"e":3},` +
		`"\u00e9":4,"q\"":5,"":6} `
	tests := []struct {
		name string
		path []string
		want string // empty: there is none
	}{
		{"no path", nil, object},
		{"direct", []string{"a b"}, `"x"`},
		{"nested", []string{"a", "b"}, "[1, 2]"},
		{"exact case", []string{"a", "B"}, "2"},
		{"no such case", []string{"A"}, ""},
		{"null", []string{"n"}, "null"},
		{"last duplicate", []string{"d", "e"}, "3"},
		{"escaped letter", []string{"é"}, "4"},
		{"escaped quote", []string{`q"`}, "5"},
		{"empty name", []string{""}, "6"},
		{"absent", []string{"x"}, ""},
		{"absent below", []string{"a", "c", "x"}, ""},
		{"below an array", []string{"a", "b", "0"}, ""},
		{"below null", []string{"n", "x"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := Member(json.RawMessage(object), tt.path...)
			if string(got) != tt.want || ok != (tt.want != "") {
				t.Errorf("got %q, %t, want %q", got, ok, tt.want)
			}
		})
	}
}

func TestMemberOfDamagedText(t *testing.T) {
	for _, text := range []string{"", "null", "[]", `"a"`, `{"a":1`, `{"a":1,}`, `{"a"}`, `{`} {
		if got, ok := Member(json.RawMessage(text), "a"); ok || got != nil {
			t.Errorf("%q has a member %q", text, got)
		}
	}
}

func TestMemberAllocations(t *testing.T) {
	object := json.RawMessage(`{"_meta":{"token":"x","other":[1,2]},"arguments":{"a":"b\n"}}`)
	allocs := testing.AllocsPerRun(100, func() {
		if _, ok := Member(object, "_meta", "token"); !ok {
			t.Fatal("not found")
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations, want none", allocs)
	}
}

func ExampleMember() {
	params := json.RawMessage(`{"_meta": {"progressToken": 7}, "name": "format"}`)
	token, ok := Member(params, "_meta", "progressToken")
	fmt.Printf("%s %t\n", token, ok)
	// Output: 7 true
}
