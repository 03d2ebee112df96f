package cli

import (
	"errors"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/charmbracelet/log"
	"github.com/muesli/termenv"
	"github.com/spf13/pflag"
)

// logFlags say what is logged on standard error, and how.
type logFlags struct {
	level  level
	format format
}

func (f *logFlags) register(flags *pflag.FlagSet) {
	flags.Var(&f.level, "log-level", "log from this `LEVEL` up: debug, info, warn or error")
	flags.Var(&f.format, "log-format", "log as `FORMAT`: text, logfmt or json")
}

// level is a flag; the zero value is info.
type level slog.Level

// String implements pflag.Value.
func (l *level) String() string {
	return log.Level(*l).String()
}

// Set implements pflag.Value.
func (l *level) Set(text string) error {
	parsed, err := log.ParseLevel(text)
	if err != nil || parsed > log.ErrorLevel {
		return errors.New("want debug, info, warn or error")
	}
	*l = level(parsed)
	return nil
}

// Type is the name of the value in help.
func (l *level) Type() string { return "LEVEL" }

// format is a flag; the zero value is text.
type format log.Formatter

// String implements pflag.Value.
func (f *format) String() string {
	switch log.Formatter(*f) {
	case log.LogfmtFormatter:
		return "logfmt"
	case log.JSONFormatter:
		return "json"
	}
	return "text"
}

// Set implements pflag.Value.
func (f *format) Set(text string) error {
	for _, known := range []log.Formatter{log.TextFormatter, log.LogfmtFormatter, log.JSONFormatter} {
		if k := format(known); k.String() == text {
			*f = k
			return nil
		}
	}
	return errors.New("want text, logfmt or json")
}

// Type is the name of the value in help.
func (f *format) Type() string { return "FORMAT" }

// open returns the logger that writes to w, and what is to be called before the program exits. It
// is coloured only on a terminal.
func (f *logFlags) open(w io.Writer) (logger *slog.Logger, flush func()) {
	lines := newLineWriter(w)
	layout := time.RFC3339
	if log.Formatter(f.format) == log.TextFormatter {
		layout = time.TimeOnly
	}
	l := log.NewWithOptions(lines, log.Options{
		Level:           log.Level(f.level),
		Formatter:       log.Formatter(f.format),
		ReportTimestamp: true,
		TimeFormat:      layout,
	})
	// Given the terminal itself, the library would ask it for its colours, wait seconds for the
	// answer, and take what is typed meanwhile, which may be the protocol's, for that.
	l.SetColorProfile(termenv.NewOutput(w).EnvColorProfile())
	return slog.New(l), lines.flush
}

// isTerminal reports whether w is a terminal, or another device that nobody parses.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
