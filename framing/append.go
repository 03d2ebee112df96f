package framing

import (
	"bytes"
	"slices"
	"strconv"
)

const (
	lengthField = "Content-Length: "
	blockEnd    = "\r\n\r\n"
	maxHeader   = len(lengthField) + len("9223372036854775807") + len(blockEnd)
)

// Append appends msg to dst as one frame and returns the extended slice. Under Newline and Auto
// each CR and LF of msg becomes a blank, which changes no JSON text: a raw line end can only stand
// between its tokens (RFC 8259, section 7). msg itself is left alone.
func (f Framing) Append(dst, msg []byte) []byte {
	dst = slices.Grow(dst, maxHeader+len(msg))
	mark := len(dst)
	dst = f.Begin(dst, len(msg))
	return f.End(append(dst, msg...), mark)
}

// Begin starts a frame whose message the caller appends to dst next; End completes it. size is the
// number of bytes the message is expected to have. A wrong guess costs End a move of the message
// when the right number has more or fewer digits.
func (f Framing) Begin(dst []byte, size int) []byte {
	if f != ContentLength {
		return dst
	}
	dst = append(dst, lengthField...)
	dst = strconv.AppendUint(dst, uint64(max(size, 0)), 10)
	return append(dst, blockEnd...)
}

// End completes the frame that Begin started when dst was mark bytes long, by the same framing, and
// returns dst with the whole frame. As under Append, a line end in the message becomes a blank
// where a line is the frame.
func (f Framing) End(dst []byte, mark int) []byte {
	if f != ContentLength {
		blankLineEnds(dst[mark:])
		return append(dst, '\n')
	}
	from := mark + len(lengthField)
	to := from + bytes.IndexByte(dst[from:], '\r')
	size := len(dst) - to - len(blockEnd)

	var digits [20]byte
	length := strconv.AppendUint(digits[:0], uint64(size), 10)
	if len(length) == to-from {
		copy(dst[from:to], length)
		return dst
	}
	return slices.Replace(dst, from, to, length...)
}

// blankLineEnds overwrites each CR and LF in b with a blank.
func blankLineEnds(b []byte) {
	for _, c := range [...]byte{'\n', '\r'} {
		for i := bytes.IndexByte(b, c); i >= 0; {
			b[i] = ' '
			next := bytes.IndexByte(b[i+1:], c)
			if next < 0 {
				break
			}
			i += 1 + next
		}
	}
}
