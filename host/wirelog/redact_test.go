package wirelog

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestRedactKeepsOtherBytes(t *testing.T) {
	tests := []struct{ name, msg, want string }{
		{"string", `{"a":1,"token":"t","b":[1.50]}`, `{"a":1,"token":"***","b":[1.50]}`},
		{"white space stays", `{ "token" : "t" , "b" : 1e2 }`, `{ "token" : "***" , "b" : 1e2 }`},
		{"number", `{"token":12.5e3}`, `{"token":"***"}`},
		{"literal before space", "{\"token\":true\n}", "{\"token\":\"***\"\n}"},
		{"object", `{"token":{"a":[{"b":"}"}]},"c":0}`, `{"token":"***","c":0}`},
		{"array", `{"token":["]",{}],"c":0}`, `{"token":"***","c":0}`},
		{"deep", `[[{"x":{"token":"t"}}]]`, `[[{"x":{"token":"***"}}]]`},
		{"twice", `{"token":1,"token":2}`, `{"token":"***","token":"***"}`},
		{"another case", `{"ToKen":1}`, `{"ToKen":"***"}`},
		{"escaped key", `{"t\u006fken":1}`, `{"t\u006fken":"***"}`},
		{"two keys", `{"password":1,"token":2}`, `{"password":"***","token":"***"}`},
		{"value of that name", `{"a":"token","b":"c"}`, `{"a":"token","b":"c"}`},
		{"element of that name", `["token","x"]`, `["token","x"]`},
		{"longer key", `{"tokens":1,"atoken":2}`, `{"tokens":1,"atoken":2}`},
		{"within a string", `{"a":"{\"token\":\"t\"}"}`, `{"a":"{\"token\":\"t\"}"}`},
		{"no object", `"token"`, `"token"`},
	}
	r := redactor{keys: []string{"token", "password"}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(r.append(nil, []byte(tt.msg))); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// FuzzRedact compares with masking the decoded value.
func FuzzRedact(f *testing.F) {
	f.Add([]byte(`{"token": [1, {"a": "\"]"}], "b": {"token": null}}`))
	f.Add([]byte(`[{"t\u006fken":-1.5e9},"token"]`))
	f.Fuzz(func(t *testing.T, msg []byte) {
		if !json.Valid(msg) {
			t.Skip()
		}
		r := redactor{keys: []string{"token"}}
		gotText, _ := json.Marshal(decode(t, r.append(nil, msg)))
		wantText, _ := json.Marshal(masked(r, decode(t, msg)))
		if string(gotText) != string(wantText) {
			t.Errorf("got  %s\nwant %s", gotText, wantText)
		}
	})
}

// decode decodes JSON, numbers of any size included.
func decode(t *testing.T, msg []byte) (value any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(msg))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%q is not JSON: %v", msg, err)
	}
	return value
}

// masked masks a decoded value.
func masked(r redactor, value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key := range v {
			quoted, _ := json.Marshal(key)
			if r.matches(quoted) {
				v[key] = mask
			} else {
				v[key] = masked(r, v[key])
			}
		}
	case []any:
		for i := range v {
			v[i] = masked(r, v[i])
		}
	}
	return value
}
