package dap

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"testing"
)

// value decodes JSON so that equal values compare equal, numbers by how they are written.
func value(t *testing.T, text []byte) (v any) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if dec.More() {
		t.Fatalf("more than one value: %s", text)
	}
	return v
}

func object(t *testing.T, text []byte) map[string]any {
	t.Helper()
	o, ok := value(t, text).(map[string]any)
	if !ok {
		t.Fatalf("not an object: %s", text)
	}
	return o
}

// equalJSON reports whether two texts are the same value.
func equalJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	return reflect.DeepEqual(value(t, a), value(t, b))
}

func itoa(n int) string { return strconv.Itoa(n) }
