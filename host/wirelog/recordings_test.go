package wirelog

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// classifyDAP is what the tests need to know of a protocol with another envelope.
func classifyDAP(msg json.RawMessage) Message {
	var m struct {
		Seq        json.RawMessage `json:"seq"`
		RequestSeq json.RawMessage `json:"request_seq"`
		Type       string          `json:"type"`
		Command    string          `json:"command"`
		Event      string          `json:"event"`
		Success    bool            `json:"success"`
		Message    string          `json:"message"`
	}
	if json.Unmarshal(msg, &m) != nil {
		return Message{}
	}
	switch m.Type {
	case "request":
		return Message{Kind: Request, ID: string(m.Seq), Method: m.Command}
	case "event":
		return Message{Kind: Notification, Method: m.Event}
	case "response":
		answer := Message{Kind: Answer, ID: string(m.RequestSeq), Method: m.Command}
		if !m.Success {
			answer.Err = "failed: " + m.Message
		}
		return answer
	}
	return Message{}
}

// TestRecordings reads what real debug adapters said.
func TestRecordings(t *testing.T) {
	paths, err := filepath.Glob("../../../shared/recordings/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Skip("no recordings beside the checkout (../shared/recordings)")
	}
	protocols := Protocols{"": {Classify: classifyDAP}}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			messages := bytes.Count(text, []byte(`"body": "`))
			if got := readAll(t, bytes.NewReader(text)); len(got) != messages {
				t.Errorf("%d records, want %d", len(got), messages)
			}
			found, err := Check(NewReader(bytes.NewReader(text)), protocols)
			if err != nil || len(found) > 0 {
				t.Errorf("check: %v, %v", found, err)
			}
			for _, m := range examine(t, bytes.NewReader(text), protocols, nil).Methods() {
				if m.Method == "initialize" && (m.Count != 1 || m.Answers != 1 || m.P50 <= 0) {
					t.Errorf("initialize: %+v", m)
				}
			}
		})
	}
}
