package framing

import "io"

const (
	// minChunk is what an idle session costs.
	minChunk = 1 << 10
	// maxChunk bounds what a small message that is kept can pin.
	maxChunk = 64 << 10
	// maxAhead is how far beyond the bytes that have arrived memory is taken for a frame whose
	// declared length is longer than a chunk. Past that, as much again as has arrived.
	maxAhead = 1 << 20
	// maxEmptyReads is how often in a row a source may return nothing and no error.
	maxEmptyReads = 100
)

// A buffer holds the bytes read from src that are not yet used up. Reads go straight into a chunk
// and messages are handed out as parts of it, so a used part of a chunk is never written again:
// when the free part becomes too small, the unused bytes move on to a fresh chunk and the old one
// is left to those who hold messages in it. The size of chunks follows the size of reads.
type buffer struct {
	src   io.Reader
	chunk []byte
	pos   int   // chunk[pos:end] is read and not used up
	end   int   // chunk[end:] is free
	size  int   // of the next chunk: minChunk to maxChunk
	large int   // what the last frame that outgrew a chunk took, and an eighth
	lent  bool  // some of chunk[:pos] belongs to a caller
	read  int64 // bytes read from src so far
	err   error // what src ended with, once all before it is in the chunk
}

// unread returns the bytes at hand. They stay valid until the next fill.
func (b *buffer) unread() []byte { return b.chunk[b.pos:b.end] }

// offset returns how many bytes of the stream come before the unread ones.
func (b *buffer) offset() int64 { return b.read - int64(b.end-b.pos) }

// discard uses up n unread bytes.
func (b *buffer) discard(n int) { b.pos += n }

// lend gives unread()[from:to] away for ever. The caller discards it.
func (b *buffer) lend(from, to int) []byte {
	b.lent = true
	return b.chunk[b.pos+from : b.pos+to : b.pos+to]
}

// settle leaves a chunk that was grown for one large frame, now used up, so that no small message
// which came behind it pins all of it.
func (b *buffer) settle() {
	if len(b.chunk) > maxChunk {
		b.large = b.pos + b.pos/8
		b.move(max(b.size, b.end-b.pos))
	}
}

// fill reads from src once. need is the number of bytes, counted from pos, that the frame at pos
// takes, or 0 while that is unknown; most bounds it then.
func (b *buffer) fill(need, most int) {
	if b.pos == b.end && !b.lent {
		b.pos, b.end = 0, 0
	}
	if !b.roomy(need) {
		b.move(b.nextSize(need, most))
	}
	dst := b.free(need)
	for range maxEmptyReads {
		var n int
		n, b.err = b.src.Read(dst)
		if n > 0 {
			b.end += n
			b.read += int64(n)
			b.adapt(n, len(dst))
		}
		if n > 0 || b.err != nil {
			return
		}
	}
	b.err = io.ErrNoProgress
}

// roomy reports whether the next read may go into the present chunk.
func (b *buffer) roomy(need int) bool {
	size, free, empty := len(b.chunk), len(b.chunk)-b.end, b.pos == b.end
	switch {
	case free == 0:
		return false
	case size > maxChunk:
		return true // it was made for the frame at pos, and is filled to its end
	case need > 0:
		return b.pos+need <= size
	case empty && size > 4*b.size: // traffic has become small: do not wait on a large chunk
		return false
	case empty && !b.lent && size < b.size: // bytes are being dropped, and many
		return false
	}
	return free >= size/4
}

// nextSize returns the size of the chunk that the unread bytes move to. Where the frame's end is
// unknown it expects as much again, and of a large frame that it is like the last one.
func (b *buffer) nextSize(need, most int) int {
	have := b.end - b.pos
	known := need > 0
	if !known {
		need = min(2*have, most)
	}
	if need <= maxChunk {
		return max(need, b.size)
	}
	if !known {
		need = max(need, min(b.large, most))
	}
	return min(need, max(have+maxAhead, 2*have))
}

// move takes the unread bytes to a fresh chunk of n bytes.
func (b *buffer) move(n int) {
	chunk := make([]byte, n)
	b.end = copy(chunk, b.unread())
	b.pos = 0
	b.chunk = chunk
	b.lent = false
}

// free returns the part of the chunk that the next read fills. In a chunk that was grown for one
// frame it ends with the frame, or is short while the frame's end is unknown: what comes behind the
// frame has to be copied out of there.
func (b *buffer) free(need int) []byte {
	free := b.chunk[b.end:]
	if len(b.chunk) <= maxChunk {
		return free
	}
	most := maxChunk
	if need > 0 {
		most = b.pos + need - b.end
	}
	return free[:min(most, len(free))]
}

// adapt chooses the size of the next chunk after a read of n bytes into room for offered.
func (b *buffer) adapt(n, offered int) {
	switch {
	case len(b.chunk) > maxChunk: // one large frame is no traffic
	case n == offered:
		b.size = min(2*b.size, maxChunk)
	case n < b.size/8:
		b.size = max(b.size/2, minChunk)
	}
}
