package dap

import (
	"encoding/json"

	"triplex/host"
)

// relay replaces the numbers of requests, which differ at the two ends of a relay. A debugger that
// died has no replacement, as its debuggee is lost; so the dialect has no Replay.
func relay(m *host.Message, from *host.Session, _ int) json.RawMessage {
	switch {
	case m.Kind == host.KindResponse:
		return m.Result
	case m.Method == Cancel.Method:
		return cancelProgress(m.Params)
	case m.Method == ProgressStart.Method:
		return startProgress(m.Params, from)
	}
	return m.Params
}

// cancelProgress returns the arguments of a cancel request without the request that they name: the
// session sees to that itself.
func cancelProgress(arguments json.RawMessage) json.RawMessage {
	if member(arguments, "requestId") == nil {
		return arguments
	}
	return append(append([]byte(`{"progressId":`), member(arguments, "progressId")...), '}')
}

// startProgress returns the body of a progressStart event with the request, if it names one, as the
// client knows it.
func startProgress(body json.RawMessage, from *host.Session) json.RawMessage {
	if origin, _ := from.Origin(member(body, "requestId")); origin != nil {
		return host.Splice(body, origin, "requestId")
	}
	return body
}
