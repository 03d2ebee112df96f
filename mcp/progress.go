package mcp

import (
	"encoding/json"
	"math"
	"strconv"

	"triplex/host"
)

// tokens are the progress tokens of the requests in flight, by key.
type tokens map[string]*token

type token struct {
	users int     // requests in flight that have it; a careful client sees to it that this is 1
	last  float64 // the progress that was reported last
}

func (t tokens) add(key string) {
	if t[key] == nil {
		t[key] = &token{last: math.Inf(-1)}
	}
	t[key].users++
}

func (t tokens) remove(key string) {
	if t[key] == nil {
		return
	}
	if t[key].users--; t[key].users == 0 {
		delete(t, key)
	}
}

// progress reports whether a notification of progress may be sent: for a token that a request in
// flight has, and with a value above the last (2025-11-25, Progress, behavior requirements).
func (t tokens) progress(params json.RawMessage) bool {
	raw, _ := host.Member(params, "progressToken")
	token := t[key(raw)]
	if token == nil {
		return false
	}
	raw, _ = host.Member(params, "progress")
	value, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || value <= token.last {
		return false
	}
	token.last = value
	return true
}
