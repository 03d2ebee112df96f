package lsp

import (
	"encoding/json"
	"testing"

	"triplex/host/wirelog"
)

func TestProgressAfterItsEndIsReported(t *testing.T) {
	const report = `{"token":"t","value":{"kind":"report"}}`
	const end = `{"token":"t","value":{"kind":"end"}}`
	tests := []struct {
		name   string
		events [][2]string // a method, and params
		broken bool        // by the last
	}{
		{"before the end", [][2]string{{"$/progress", report}, {"$/progress", end}}, false},
		{"after the end", [][2]string{{"$/progress", end}, {"$/progress", report}}, true},
		{"two ends", [][2]string{{"$/progress", end}, {"$/progress", end}}, true},
		{"another token", [][2]string{
			{"$/progress", end}, {"$/progress", `{"token":1,"value":{"kind":"report"}}`},
		}, false},
		{"created again", [][2]string{
			{"$/progress", end}, {"window/workDoneProgress/create", `{"token":"t"}`},
			{"$/progress", report},
		}, false},
		{"given out again", [][2]string{
			{"$/progress", end}, {"textDocument/references", `{"workDoneToken":"t"}`},
			{"$/progress", report},
		}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rule := Dialect.Log.Rules()[0]
			var err error
			for _, e := range tt.events {
				kind := wirelog.Request
				if e[0] == "$/progress" {
					kind = wirelog.Notification
				}
				msg := json.RawMessage(`{"method":"` + e[0] + `","params":` + e[1] + `}`)
				err = rule.Event(wirelog.Event{
					Record:  wirelog.Record{Msg: msg},
					Message: wirelog.Message{Kind: kind, Method: e[0]},
				})
			}
			if (err != nil) != tt.broken {
				t.Errorf("got %v", err)
			}
			if err := rule.End(); err != nil {
				t.Error(err)
			}
		})
	}
}
