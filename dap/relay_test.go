package dap

import (
	"encoding/json"
	"testing"

	"triplex/host"
)

func TestRelayOfCancel(t *testing.T) {
	for arguments, want := range map[string]string{
		`{"progressId":"p"}`:                `{"progressId":"p"}`,
		`{"requestId":3,"progressId": "p"}`: `{"progressId":"p"}`,
		`{}`:                                `{}`,
	} {
		m := &host.Message{
			Kind: host.KindRequest, Method: "cancel", Params: json.RawMessage(arguments),
		}
		if got := Dialect.Relay(m, nil, 0); string(got) != want {
			t.Errorf("%s is passed on as %s, want %s", arguments, got, want)
		}
	}
}
