package wirelog

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// Reader reads the records of a log, or of a recording, one after the other.
type Reader struct {
	// MaxLine is the longest line that is read, in bytes; longer ones are errors. Zero means
	// 128 MiB.
	MaxLine int

	r    *bufio.Reader
	line int
	buf  []byte
	cut  bool
}

// NewReader returns a Reader of r.
func NewReader(r io.Reader) *Reader {
	return &Reader{r: bufio.NewReaderSize(r, 64<<10)}
}

// LineError is the error of one line. The lines after it can be read.
type LineError struct {
	Line int
	Err  error
}

// Error says which line is wrong, and how.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the error without the line.
func (e *LineError) Unwrap() error { return e.Err }

// Next returns the next record, or io.EOF when there is none. A line that is not a record is a
// *[LineError], after which Next may be called again, unless it is the last line and has no line
// end: then its writer has not finished it, and it counts as the end.
func (r *Reader) Next() (Record, error) {
	for {
		line, err := r.readLine()
		if err != nil && err != io.EOF {
			return Record{}, err
		}
		if len(line) > 0 {
			record, parseErr := parseLine(line)
			switch {
			case parseErr == nil:
				record.Line = r.line
				return record, nil
			case parseErr == errNoMessage:
			case err == io.EOF:
				r.cut = true
			default:
				return Record{}, &LineError{Line: r.line, Err: parseErr}
			}
		}
		if err == io.EOF {
			return Record{}, io.EOF
		}
	}
}

// Cut tells, after io.EOF, whether the last line was not finished.
func (r *Reader) Cut() bool { return r.cut }

// readLine reads a line without the white space around it, which may leave nothing. At the end of
// the input it returns what is there and io.EOF. The line is valid until the next call.
func (r *Reader) readLine() ([]byte, error) {
	limit := cmp.Or(r.MaxLine, 128<<20)
	r.line++
	r.buf = r.buf[:0]
	tooLong := false
	for {
		part, err := r.r.ReadSlice('\n')
		if tooLong = tooLong || len(r.buf)+len(part) > limit; !tooLong {
			r.buf = append(r.buf, part...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if tooLong && err == nil {
			return nil, &LineError{r.line, fmt.Errorf("longer than %d bytes", limit)}
		}
		if tooLong {
			r.buf, r.cut = r.buf[:0], true
		}
		return bytes.TrimSpace(r.buf), err
	}
}

// errNoMessage is the error of a line that is in order but holds nothing to look at.
var errNoMessage = errors.New("no message")

// line is a line of a log or of a recording.
type line struct {
	Time      time.Time       `json:"time"`
	Session   string          `json:"session"`
	Peer      string          `json:"peer"`
	Protocol  string          `json:"protocol"`
	Dir       string          `json:"dir"`
	Msg       json.RawMessage `json:"msg"`
	Raw       *[]byte         `json:"raw"`
	Dropped   int             `json:"dropped"`
	Continues bool            `json:"continues"`

	// A recording's own: microseconds since its start, a body that may be anything, and the
	// end of a direction.
	Micros int64   `json:"us"`
	Body   *string `json:"body"`
	EOF    bool    `json:"eof"`
}

// parseLine parses a line that is not blank.
func parseLine(text []byte) (Record, error) {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return Record{}, fmt.Errorf("not a record: %w", err)
	}
	if l.EOF {
		return Record{}, errNoMessage
	}
	r := Record{
		Time: l.Time, Session: l.Session, Peer: l.Peer, Protocol: l.Protocol,
		Msg: l.Msg, Dropped: l.Dropped, Continues: l.Continues,
	}
	if l.Body != nil {
		r.Time = time.UnixMicro(l.Micros).UTC()
		l.setBody(&r)
	}
	if l.Raw != nil {
		r.Raw = *l.Raw
	}
	return r, l.check(&r)
}

// setBody fills in what a recording calls body.
func (l line) setBody(r *Record) {
	if body := []byte(*l.Body); json.Valid(body) {
		r.Msg = body
	} else {
		r.Raw = body
	}
}

// check sets the direction of r and checks that r is exactly one of the kinds of record.
func (l line) check(r *Record) error {
	kinds := 0
	for _, is := range []bool{r.Msg != nil, r.Raw != nil, r.Dropped != 0, r.Continues} {
		if is {
			kinds++
		}
	}
	if kinds != 1 || r.Dropped < 0 {
		return errors.New("not a record: want one of msg, raw, dropped and continues")
	}
	if r.Dropped > 0 || r.Continues {
		return nil
	}
	switch l.Dir {
	case "in", "c2s":
		r.Dir = In
	case "out", "s2c":
		r.Dir = Out
	default:
		return fmt.Errorf("not a record: the direction is %q; want in or out", l.Dir)
	}
	return nil
}
