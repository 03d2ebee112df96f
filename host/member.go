package host

import (
	"encoding/json"
	"math"
	"slices"
)

// Member returns the value at path in a valid JSON object, as it is written: of the member named
// path[0] the member named path[1], and so on. Names are compared exactly, by their characters;
// of a repeated member the last one counts. Member reports false if there is no such member.
func Member(object json.RawMessage, path ...string) (json.RawMessage, bool) {
	value := object
	for _, name := range path {
		if value = member(value, name); value == nil {
			return nil, false
		}
	}
	return value, true
}

// member returns the value of the member called name, or nil.
func member(object json.RawMessage, name string) (value json.RawMessage) {
	s := newScanner(object, math.MaxInt)
	start := s.space(0)
	if s.byte(start) != '{' {
		return nil
	}
	end := s.object(start, func(n, v []byte) {
		if n := characters(n); n[1:len(n)-1] == name {
			value = v
		}
	})
	if end < 0 {
		return nil
	}
	return value
}

// Splice returns object with the value at path replaced and every other byte as it is. It returns
// object itself if there is no such member; see [Member].
func Splice(object, value json.RawMessage, path ...string) json.RawMessage {
	old, ok := Member(object, path...)
	if !ok {
		return object
	}
	// old is a part of object's memory, so their capacities tell where it starts.
	start := cap(object) - cap(old)
	return slices.Concat(object[:start], value, object[start+len(old):])
}
