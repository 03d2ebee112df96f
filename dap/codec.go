package dap

import (
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"triplex/host"
)

// The codec is that of encoding/json/v2 rather than encoding/json: it knows embedded maps for
// unknown members, writes an absent list as [] where the schema requires one, matches names
// exactly and replaces what a debuggee's memory holds instead of UTF-8.
var (
	encoding = json.JoinOptions(jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
	decoding = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
)

// marshal encodes arguments or a body.
func marshal(v any) ([]byte, error) {
	if _, none := v.(Empty); none {
		return []byte("null"), nil
	}
	return json.Marshal(v, encoding)
}

// unmarshal decodes arguments or a body into v. What is absent or null becomes an empty object
// where v points to a pointer to a struct, so that handlers and callers need not expect nil.
func unmarshal(data []byte, v any) error {
	if _, none := v.(*host.NoParams); none {
		return nil
	}
	if absent := len(data) == 0 || string(data) == "null"; absent {
		data = []byte("null")
		if t := reflect.TypeOf(v).Elem(); t.Kind() == reflect.Pointer &&
			t.Elem().Kind() == reflect.Struct {
			data = []byte("{}")
		}
	}
	return json.Unmarshal(data, v, decoding)
}
