package hosttest

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// PlayFile plays each conversation of a txtar archive in a subtest of its own, as the peer that
// start returns for it. A conversation is a file of the archive, in the form that [Peer.Play]
// takes.
func PlayFile(t *testing.T, file string, start func(t *testing.T) *Peer) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(archive.Files) == 0 {
		t.Fatalf("%s has no conversations", file)
	}
	for _, f := range archive.Files {
		t.Run(f.Name, func(t *testing.T) { start(t).Play(string(f.Data)) })
	}
}

// Play plays the peer's part of a conversation, which is written down line by line:
//
//	# a comment
//	-> MESSAGE   is sent as it stands, even if it is no JSON
//	<- MESSAGE   is the next message received, as [Peer.Expect] has it; if it is an array, its
//	             elements may come in any order
//	<~ MESSAGE   the messages of adjacent lines of this kind may come in any order
//	close        the peer ends its side
//
// At the end the peer ends its side, if it has not, and nothing more may come from the other.
func (p *Peer) Play(script string) {
	p.t.Helper()
	closed := false
	var unordered []string
	for line := range strings.Lines(script) {
		line = strings.TrimSuffix(line, "\n")
		verb, message, indented := strings.Cut(line, " ")
		if verb != "<~" && unordered != nil {
			p.Expect(unordered...)
			unordered = nil
		}
		if verb == "" && indented {
			p.t.Fatalf("each message of a conversation is one line, but a line begins with blanks: %q",
				line)
		}
		switch verb {
		case "", "#":
		case "->":
			p.Send(message)
		case "<-":
			p.expectNext(message)
		case "<~":
			unordered = append(unordered, message)
		case "close":
			p.CloseWrite()
			closed = true
		default:
			p.t.Fatalf("a line of a conversation begins with # -> <- <~ or close, not with %q", verb)
		}
	}
	p.Expect(unordered...)
	if !closed {
		p.CloseWrite()
	}
	p.ExpectEnd()
}

func (p *Peer) expectNext(message string) {
	p.t.Helper()
	if strings.HasPrefix(message, "[") {
		p.ExpectBatch(message)
		return
	}
	p.Expect(message)
}
