package wirelog

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
)

// textLimit is how much of an error or a name is printed, in bytes.
const textLimit = 300

// Printer prints events for people, a line each: time, session and peer, direction, method, id,
// size, and of an answer its latency and error.
//
//	10:00:00.000 s1 -> textDocument/hover #7 312 B
//	10:00:00.012 s1 <- textDocument/hover #7 1.2 kB 11.9ms
//
// An arrow to the right is a message that came in, one to the left one that went out.
type Printer struct {
	W     io.Writer
	Color bool // with ANSI escapes, for a terminal
}

// The colours of a line's parts.
const (
	dim    = "2"
	cyan   = "36"
	yellow = "33"
	red    = "31"
)

// Print writes the line of an event. The time is printed in the zone of [Record.Time].
func (p *Printer) Print(ev Event) error {
	words := []string{p.paint(dim, ev.Time.Format("15:04:05.000"))}
	for _, name := range []string{ev.Session, ev.Peer} {
		if name != "" {
			words = append(words, clean(name))
		}
	}
	if ev.Msg == nil {
		words = append(words, p.remark(ev))
	} else {
		words = append(words, p.message(ev)...)
	}
	_, err := fmt.Fprintln(p.W, strings.Join(words, " "))
	return err
}

// remark returns the line of what is not a message.
func (p *Printer) remark(ev Event) string {
	switch {
	case ev.Dropped > 0:
		return p.paint(yellow, fmt.Sprintf("-- messages missing here: %d --", ev.Dropped))
	case ev.Continues:
		return p.paint(dim, "-- continues a rotated file --")
	default:
		return ev.arrow() + " " + p.paint(red, "not a message") + " " + byteSize(ev.Size)
	}
}

func (p *Printer) message(ev Event) []string {
	words := []string{ev.arrow()}
	switch {
	case ev.Kind == Other:
		words = append(words, p.paint(red, "unknown message"))
	case ev.Method == "":
		words = append(words, p.paint(yellow, "(no request)"))
	default:
		words = append(words, p.paint(cyan, clean(ev.Method)))
	}
	if ev.ID != "" {
		words = append(words, "#"+clean(ev.ID))
	}
	words = append(words, p.paint(dim, byteSize(ev.Size)))
	if ev.Request != nil {
		words = append(words, duration(ev.Latency))
	}
	if ev.Duplicate {
		words = append(words, p.paint(red, "id already in flight"))
	}
	if ev.Err != "" {
		words = append(words, p.paint(red, "error: "+clean(ev.Err)))
	}
	return words
}

func (ev Event) arrow() string {
	if ev.Dir == In {
		return "->"
	}
	return "<-"
}

func (p *Printer) paint(color, text string) string {
	if !p.Color {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// clean makes a text of unknown origin fit for a terminal: without control characters, and short.
func clean(text string) string {
	if len(text) > textLimit {
		text = strings.ToValidUTF8(text[:textLimit], "") + "…"
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}

// duration rounds to what a reader can use.
func duration(d time.Duration) string {
	switch {
	case d >= 10*time.Second:
		return d.Round(100 * time.Millisecond).String()
	case d >= 10*time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	default:
		return d.Round(time.Microsecond).String()
	}
}

// byteSize puts a number of bytes in words.
func byteSize(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1000)
	default:
		return fmt.Sprintf("%.1f MB", float64(n)/1_000_000)
	}
}
