package dap

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	godap "github.com/google/go-dap"
)

// TestGoDAP holds the types against those of go-dap, which is generated from schema 1.59: what it
// knows, they know.
func TestGoDAP(t *testing.T) {
	for name, d := range descriptors {
		if name == Locations.Method {
			continue // it is defined, but not decoded
		}
		text := `{"seq":1,"type":"request","command":%q}`
		if d.event {
			text = `{"seq":1,"type":"event","event":%q}`
		}
		m, err := godap.DecodeProtocolMessage(fmt.Appendf(nil, text, name))
		if err != nil {
			t.Errorf("go-dap does not know %s", name)
			continue
		}
		compareMembers(t, name, payloadType(m, "Arguments", "Body"), d.params)
		if d.event {
			continue
		}
		m, err = godap.DecodeProtocolMessage(fmt.Appendf(nil,
			`{"seq":1,"type":"response","request_seq":1,"success":true,"command":%q}`, name))
		if err != nil {
			t.Errorf("go-dap does not know the response to %s", name)
			continue
		}
		compareMembers(t, name, payloadType(m, "Body"), d.result)
	}
}

func payloadType(m godap.Message, fields ...string) reflect.Type {
	for _, name := range fields {
		if f, ok := reflect.TypeOf(m).Elem().FieldByName(name); ok {
			return f.Type
		}
	}
	return nil
}

// compareMembers looks for every member of theirs in ours, at any depth.
func compareMembers(t *testing.T, where string, theirs, ours reflect.Type) {
	theirs, ours = base(theirs), base(ours)
	if theirs == nil || theirs.Kind() != reflect.Struct {
		return
	}
	if ours.Kind() != reflect.Struct {
		t.Errorf("%s: %s is no struct", where, ours)
		return
	}
	for _, f := range reflect.VisibleFields(theirs) {
		if f.Anonymous {
			continue
		}
		member, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if mine, ok := fieldOf(ours, member); !ok {
			t.Errorf("%s: %s has no member %q", where, ours, member)
		} else if b := base(f.Type); b != theirs { // Source and ExceptionDetails hold themselves
			compareMembers(t, where+"."+member, b, mine)
		}
	}
}

func base(t reflect.Type) reflect.Type {
	for t != nil && (t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice) {
		t = t.Elem()
	}
	return t
}

func fieldOf(t reflect.Type, member string) (reflect.Type, bool) {
	for f := range t.Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name == member {
			return f.Type, true
		}
	}
	return nil, false
}
