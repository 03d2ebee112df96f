package dap

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"triplex/host"
)

// The codec is that of encoding/json/v2 rather than encoding/json: it knows embedded maps for
// unknown members, writes an absent list as [] where the schema requires one, matches names
// exactly and replaces what a debuggee's memory holds instead of UTF-8.
var (
	encoding = json.JoinOptions(jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
	decoding = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true),
		json.WithUnmarshalers(json.UnmarshalFromFunc(decodeInt)))
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
	return readable(json.Unmarshal(data, v, decoding))
}

// decodeInt decodes a number: clients whose language knows only floats write 5.0 for 5.
func decodeInt(dec *jsontext.Decoder, n *int) error {
	if dec.PeekKind() != '0' {
		return errors.ErrUnsupported
	}
	number, err := dec.ReadValue()
	if err != nil {
		return err
	}
	whole, ok := integer([]byte(number))
	if !ok {
		return &json.SemanticError{JSONKind: '0', JSONValue: number, GoType: reflect.TypeFor[int]()}
	}
	*n, err = strconv.Atoi(string(whole))
	return err
}

// readable says in words of JSON which member is not what it should be, for whoever wrote it, such
// as the author of a launch configuration.
func readable(err error) error {
	var wrong *json.SemanticError
	if !errors.As(err, &wrong) || wrong.GoType == nil {
		return err
	}
	where := string(wrong.JSONPointer)
	if where == "" {
		where = "the value"
	}
	found, want := kindInWords(wrong.JSONKind), typeInWords(wrong.GoType)
	if len(wrong.JSONValue) > 0 {
		found = string(wrong.JSONValue)
	}
	if found == "" || want == "" {
		return err
	}
	return fmt.Errorf("%s is %s, want %s", where, found, want)
}

func kindInWords(kind jsontext.Kind) string {
	switch kind {
	case 'n', 't', 'f':
		return kind.String()
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '{':
		return "an object"
	case '[':
		return "a list"
	}
	return ""
}

func typeInWords(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Int:
		return "an integer"
	case reflect.Uint64:
		return "an integer of 0 or more"
	case reflect.Slice:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	}
	return ""
}
