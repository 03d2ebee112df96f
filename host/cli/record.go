package cli

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/pflag"

	"triplex/host"
	"triplex/host/wirelog"
)

// recordFlags say whether the messages of sessions are recorded, and how.
type recordFlags struct {
	path   string
	rotate size
	keep   count
	redact []string
}

func (f *recordFlags) register(flags *pflag.FlagSet) {
	flags.Var((*word)(&f.path), "record", "append every message of a session to the file `PATH`")
	f.rotate, f.keep = 100<<20, 5
	flags.Var(&f.rotate, "record-size", "begin a new file of --record at this size")
	flags.Var(&f.keep, "record-keep", "how many full files to keep, as PATH.1 and so on")
	flags.StringArrayVar(&f.redact, "redact", nil,
		"record the values of members called `KEY` as *** (repeatable)")
}

// open starts to record. It returns nil without --record.
func (f *recordFlags) open(log *slog.Logger) (*wirelog.Writer, error) {
	if f.path == "" {
		return nil, nil
	}
	w, err := wirelog.Create(f.path, wirelog.Options{
		MaxBytes: int64(f.rotate), Keep: int(f.keep), Redact: f.redact, Logger: log,
	})
	if err != nil {
		return nil, fmt.Errorf("--record: %w", err)
	}
	return w, nil
}

// recordPatience is how long the end of a program waits for a slow disk.
const recordPatience = 2 * time.Second

// closeRecord writes what is left to be written.
func closeRecord(w *wirelog.Writer, log *slog.Logger) {
	if w == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), recordPatience)
	defer cancel()
	if err := w.Close(ctx); err != nil {
		log.Warn("the recording is not complete", "error", err)
	}
}

// recorder is the [host.Recorder] that writes a wire log.
type recorder struct{ log *wirelog.Writer }

// Record implements [host.Recorder].
func (r recorder) Record(s *host.Session, incoming bool, frame []byte, message bool) {
	r.write(s, incoming, frame, message)
}

// write writes a frame of a client. The name of its session has the process in it: others append to
// the same file, and each counts its sessions from 1.
func (r recorder) write(c guest, incoming bool, frame []byte, message bool) {
	record := wirelog.Record{
		Session: fmt.Sprintf("s%d-%d", c.ID(), os.Getpid()), Peer: c.Peer().String(),
		Dir: wirelog.Out,
	}
	if d := c.Dialect(); d != nil {
		record.Protocol = d.Name
	}
	if incoming {
		record.Dir = wirelog.In
	}
	if message {
		record.Msg = frame
	} else {
		record.Raw = frame
	}
	r.log.Record(record)
}
