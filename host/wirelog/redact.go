package wirelog

import (
	"bytes"
	"encoding/json"
	"strings"
)

// mask replaces what is redacted.
const mask = `***`

// redactor masks the values of members by their keys, at any depth. Upper and lower case are the
// same to it: masking too much is the smaller harm.
type redactor struct {
	keys []string
}

// append appends msg, which must be valid JSON, to dst with every value masked that belongs to one
// of the keys. All other bytes stay as they are.
func (r redactor) append(dst, msg []byte) []byte {
	if len(r.keys) == 0 {
		return append(dst, msg...)
	}
	copied, i := 0, 0
	for i < len(msg) {
		if msg[i] != '"' {
			i++
			continue
		}
		end := stringEnd(msg, i)
		colon := skipSpace(msg, end)
		// In valid JSON a string with a colon behind it is a key, and no other string is.
		if colon == len(msg) || msg[colon] != ':' || !r.matches(msg[i:end]) {
			i = end
			continue
		}
		value := skipSpace(msg, colon+1)
		dst = append(dst, msg[copied:value]...)
		dst = append(dst, '"')
		dst = append(dst, mask...)
		dst = append(dst, '"')
		i = valueEnd(msg, value)
		copied = i
	}
	return append(dst, msg[copied:]...)
}

// raw returns what may be recorded of a frame that was not a message: where anything is to be
// redacted nothing of it, because it cannot be searched for keys.
func (r redactor) raw(frame []byte) []byte {
	if len(r.keys) == 0 {
		return frame
	}
	return []byte(mask)
}

// matches tells whether quoted, a JSON string, is one of the keys.
func (r redactor) matches(quoted []byte) bool {
	name := string(quoted[1 : len(quoted)-1])
	if strings.Contains(name, `\`) && json.Unmarshal(quoted, &name) != nil {
		return false
	}
	for _, key := range r.keys {
		if strings.EqualFold(key, name) {
			return true
		}
	}
	return false
}

// stringEnd returns the index behind the string that begins at i.
func stringEnd(msg []byte, i int) int {
	for i++; i < len(msg); i++ {
		switch msg[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(msg)
}

func skipSpace(msg []byte, i int) int {
	for i < len(msg) && strings.IndexByte(" \t\r\n", msg[i]) >= 0 {
		i++
	}
	return i
}

// valueEnd returns the index behind the value that begins at i.
func valueEnd(msg []byte, i int) int {
	switch msg[i] {
	case '"':
		return stringEnd(msg, i)
	case '{', '[':
		return containerEnd(msg, i)
	}
	if n := bytes.IndexAny(msg[i:], ",]} \t\r\n"); n >= 0 {
		return i + n
	}
	return len(msg)
}

// containerEnd returns the index behind the object or array that begins at i.
func containerEnd(msg []byte, i int) int {
	depth := 0
	for i < len(msg) {
		switch msg[i] {
		case '"':
			i = stringEnd(msg, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		i++
		if depth == 0 {
			break
		}
	}
	return i
}
