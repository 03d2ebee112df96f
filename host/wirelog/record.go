package wirelog

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"time"
)

// Dir is the direction of a message, as the recording host sees it.
type Dir string

// The two directions.
const (
	In  Dir = "in"  // read from the peer
	Out Dir = "out" // written to the peer
)

// Record is one line of a log. Exactly one of Msg, Raw, Dropped and Continues is set.
type Record struct {
	Time     time.Time
	Session  string // the session's name within its host
	Peer     string // who is at the other end: an address, or the name of a mount
	Protocol string // the dialect's name; empty while it is not known
	Dir      Dir

	Msg json.RawMessage // a message: any JSON value, as it was on the wire
	Raw []byte          // the bytes of a frame that was not a message

	Dropped   int  // so many records are missing here
	Continues bool // the file begins in the middle of its sessions: it follows a rotated one

	Line int // the number of the line, from 1, where a Reader read the record
}

// AppendLine appends the record to dst as a line of a log, with its line end, and returns the
// result. A Msg that is not valid JSON becomes a Raw; line ends between its tokens become spaces.
func (r Record) AppendLine(dst []byte) []byte {
	return r.appendLine(dst, redactor{})
}

func (r Record) appendLine(dst []byte, redact redactor) []byte {
	dst = append(dst, `{"time":"`...)
	dst = r.Time.UTC().AppendFormat(dst, time.RFC3339Nano)
	dst = append(dst, '"')
	dst = appendMember(dst, "session", r.Session)
	dst = appendMember(dst, "peer", r.Peer)
	dst = appendMember(dst, "protocol", r.Protocol)
	dst = appendMember(dst, "dir", string(r.Dir))
	switch {
	case r.Dropped > 0:
		dst = append(dst, `,"dropped":`...)
		dst = strconv.AppendInt(dst, int64(r.Dropped), 10)
	case r.Continues:
		dst = append(dst, `,"continues":true`...)
	case r.Msg != nil && json.Valid(r.Msg):
		dst = append(dst, `,"msg":`...)
		from := len(dst)
		dst = redact.append(dst, r.Msg)
		unbreak(dst[from:])
	default:
		dst = append(dst, `,"raw":"`...)
		raw := redact.raw(append(bytes.Clone(r.Raw), r.Msg...))
		dst = base64.StdEncoding.AppendEncode(dst, raw)
		dst = append(dst, '"')
	}
	return append(dst, "}\n"...)
}

// appendMember appends a string member, unless it is empty.
func appendMember(dst []byte, key, value string) []byte {
	if value == "" {
		return dst
	}
	quoted, _ := json.Marshal(value) // strings do not fail
	dst = append(dst, `,"`...)
	dst = append(dst, key...)
	dst = append(dst, `":`...)
	return append(dst, quoted...)
}

// unbreak makes spaces of line ends, which in valid JSON stand only between tokens.
func unbreak(msg []byte) {
	for i, c := range msg {
		if c == '\n' || c == '\r' {
			msg[i] = ' '
		}
	}
}
