package framing

import "fmt"

// Framing is a way to tell one message on a byte stream from the next.
type Framing uint8

// The framings. The zero value is Auto.
const (
	// Auto is whatever the peer speaks: a Reader decides by the first byte that is not white
	// space, '{' and '[' meaning Newline and a letter ContentLength. Written, it is Newline.
	Auto Framing = iota
	// ContentLength puts a header block in front of each message (LSP 3.17, base protocol).
	ContentLength
	// Newline ends each message with a line feed (MCP, transport stdio).
	Newline
)

var names = [...]string{Auto: "auto", ContentLength: "content-length", Newline: "newline"}

// Parse returns the framing called name: "auto", "content-length" or "newline".
func Parse(name string) (Framing, error) {
	for f, n := range names {
		if n == name {
			return Framing(f), nil
		}
	}
	return Auto, fmt.Errorf("unknown framing %q: want auto, content-length or newline", name)
}

// String returns the name that Parse takes.
func (f Framing) String() string {
	if int(f) < len(names) {
		return names[f]
	}
	return fmt.Sprintf("Framing(%d)", uint8(f))
}

// MarshalText returns the framing's name, for JSON and for flags. It fails on a value that is none
// of the constants.
func (f Framing) MarshalText() ([]byte, error) {
	if int(f) >= len(names) {
		return nil, fmt.Errorf("no framing has the number %d", uint8(f))
	}
	return []byte(names[f]), nil
}

// UnmarshalText sets f to the framing that text names; see Parse.
func (f *Framing) UnmarshalText(text []byte) error {
	parsed, err := Parse(string(text))
	if err != nil {
		return err
	}
	*f = parsed
	return nil
}
