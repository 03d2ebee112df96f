package cli

import "bytes"

// events finds the messages in a stream of events (HTML, 9.2.6, interpreting an event stream).
type events struct {
	message func(data []byte) // is called with each; nil if there is no stream

	line []byte // that is not complete
	data []byte // of the event that is not complete
}

// add takes what comes next in the stream.
func (e *events) add(p []byte) {
	for {
		part, rest, ended := bytes.Cut(p, []byte("\n"))
		e.line = append(e.line, part...)
		if !ended {
			return
		}
		e.take(bytes.TrimSuffix(e.line, []byte("\r")))
		e.line, p = e.line[:0], rest
	}
}

// take takes a line.
func (e *events) take(line []byte) {
	if text, ok := bytes.CutPrefix(line, []byte("data:")); ok {
		e.data = append(append(e.data, bytes.TrimPrefix(text, []byte(" "))...), '\n')
		return
	}
	if len(line) > 0 {
		return
	}
	if data := bytes.TrimSuffix(e.data, []byte("\n")); len(data) > 0 {
		e.message(data)
	}
	e.data = nil
}
