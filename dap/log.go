package dap

import (
	"encoding/json"
	"fmt"

	"triplex/host/wirelog"
)

// logging is how a recorded session is examined: [wirelog.Check] also reports what the types of
// this package refuse.
var logging = wirelog.Protocol{
	Classify: classify,
	Rules:    func() []wirelog.Rule { return []wirelog.Rule{shapeRule{}} },
}

// classify tells messages apart by their type alone, as the envelope does.
func classify(msg json.RawMessage) wirelog.Message {
	var w wire
	if w.scan(msg, defaultDepth) != nil {
		return wirelog.Message{}
	}
	switch w.text("type") {
	case "request":
		return classifyRequest(&w)
	case "event":
		return wirelog.Message{Kind: wirelog.Notification, Method: w.text("event")}
	case "response":
		return classifyResponse(&w)
	}
	return wirelog.Message{}
}

func classifyRequest(w *wire) wirelog.Message {
	m := wirelog.Message{
		Kind: wirelog.Request, ID: number(w.members["seq"]), Method: w.text("command"),
	}
	if m.Method == Cancel.Method {
		m.Cancels = number(member(w.payload("arguments"), "requestId"))
	}
	return m
}

func classifyResponse(w *wire) wirelog.Message {
	m := wirelog.Message{
		Kind: wirelog.Answer, ID: number(w.members["request_seq"]), Method: w.text("command"),
	}
	if string(w.members["success"]) != "true" {
		e := readError(errorObject(w))
		m.Err = fmt.Sprintf("%d %s", e.Code, e.Message)
	}
	return m
}

// number returns the number of a request in one spelling, however its sender writes it.
func number(token json.RawMessage) string {
	n, _ := integer(token)
	return string(n)
}

// shapeRule reports arguments and bodies that are not what the protocol says.
type shapeRule struct{}

// Event implements [wirelog.Rule].
func (shapeRule) Event(ev wirelog.Event) error {
	d, known := descriptors[ev.Method]
	var w wire
	// The body of a failed response has a shape of its own.
	if !known || ev.Err != "" || w.scan(ev.Msg, defaultDepth) != nil {
		return nil
	}
	t, part := d.params, "body"
	switch ev.Kind {
	case wirelog.Request:
		part = "arguments"
	case wirelog.Answer:
		t = d.result
	}
	if t == nil { // a response that bears the name of an event
		return nil
	}
	if err := refusal(t, w.payload(part)); err != nil {
		return fmt.Errorf("the %s of %s: %w", part, ev.Method, err)
	}
	return nil
}

// End implements [wirelog.Rule].
func (shapeRule) End() error { return nil }
