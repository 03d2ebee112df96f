package daptest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tiny is a schema of two definitions.
const tiny = `{"definitions": {
	"StoppedEvent": {"required": ["seq"], "properties": {"seq": {"minimum": 1}}},
	"ErrorResponse": {"properties": {"request_seq": {"minimum": 1}}}
}}`

func TestSchema(t *testing.T) {
	file := filepath.Join(t.TempDir(), "schema.json")
	if s, err := ReadSchema(file); s != nil || err != nil {
		t.Errorf("without a file: %v, %v", s, err)
	}
	if err := os.WriteFile(file, []byte(tiny), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := ReadSchema(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, message, want string }{
		{"right", `{"seq":1,"type":"event","event":"stopped"}`, ""},
		{"wrong", `{"seq":0,"type":"event","event":"stopped"}`, "minimum"},
		{"unknown event", `{"seq":1,"type":"event","event":"started"}`, "StartedEvent"},
		{"unknown response", `{"seq":1,"type":"response","success":true,"command":"x"}`, "XResponse"},
		{"failure", `{"seq":1,"type":"response","request_seq":0,"success":false}`, ""},
		{"no JSON", `{"seq":`, "JSON"},
	} {
		err := s.Check([]byte(test.message))
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadSchema(file); err == nil {
		t.Error("read half a schema")
	}
}
