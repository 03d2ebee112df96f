package debugger

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"sync"
	"testing"
	"time"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// texts is a Source of files in memory, which all lie in one folder.
type texts struct {
	mu    sync.Mutex
	files map[string]string
}

func (s *texts) Read(path string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, ok := s.files[path]
	if !ok {
		return "", fmt.Errorf("no file %s", path)
	}
	return text, nil
}

func (s *texts) Resolve(_, module string) (string, error) { return path.Clean(module), nil }

func (s *texts) set(path, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[path] = text
}

// everything is the dialect with all that can be switched on.
var everything = &syntax.FileOptions{
	Set: true, While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true,
}

// A session is a Run under test with an observer. Its methods fail the test.
type session struct {
	*testing.T
	run    *Run
	source *texts
	obs    *Observer
	output strings.Builder // of category Stdout
	said   []Output        // of the other categories
	moved  []BreakpointStatus
	loaded []string
}

const deadline = 2 * time.Minute

// prepare returns a session that is ready to run the files, of which main.star is the program.
func prepare(t *testing.T, cfg Config, files map[string]string) *session {
	t.Helper()
	s := &session{T: t, source: &texts{files: files}}
	if cfg.Program == "" {
		cfg.Program = "main.star"
	}
	if cfg.Source == nil {
		cfg.Source = s.source
	}
	if cfg.Options == nil {
		cfg.Options = everything
	}
	run, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	s.run, s.obs = run, run.Observe()
	t.Cleanup(func() {
		s.obs.Close()
		run.Terminate()
		<-run.Done()
	})
	return s
}

func (s *session) ctx() context.Context {
	ctx, cancel := context.WithTimeout(s.Context(), deadline)
	s.Cleanup(cancel)
	return ctx
}

func (s *session) start() {
	s.Helper()
	if err := s.run.Start(); err != nil {
		s.Fatal(err)
	}
}

// next returns the next event that is a stop, a restart or the end, and notes those before it.
func (s *session) next() Event {
	s.Helper()
	ctx := s.ctx()
	for {
		ev, err := s.obs.Next(ctx)
		if err != nil {
			s.Fatalf("next event: %v", err)
		}
		switch ev := ev.(type) {
		case Output:
			if ev.Category == Stdout {
				s.output.WriteString(ev.Text)
			} else {
				s.said = append(s.said, ev)
			}
		case BreakpointChanged:
			s.moved = append(s.moved, ev.Breakpoint)
		case ModuleLoaded:
			s.loaded = append(s.loaded, ev.Module.Path)
		case Stopped, Ended, Restarted:
			return ev
		}
	}
}

// stopped waits for a stop.
func (s *session) stopped() Stop {
	s.Helper()
	ev := s.next()
	stop, ok := ev.(Stopped)
	if !ok {
		s.Fatalf("got %T %+v, want a stop", ev, ev)
	}
	return stop.Stop
}

// ended waits for the end.
func (s *session) ended() Result {
	s.Helper()
	ev := s.next()
	end, ok := ev.(Ended)
	if !ok {
		s.Fatalf("got %T %+v, want the end", ev, ev)
	}
	return end.Result
}

func (s *session) resume(m Move) {
	s.Helper()
	if err := s.run.Resume(Resume{Move: m}); err != nil {
		s.Fatal(err)
	}
}

// stack returns the frames as "name path:line", innermost first.
func (s *session) stack() string {
	s.Helper()
	frames, total, err := s.run.Frames(s.ctx(), 0, 0)
	if err != nil || total != len(frames) {
		s.Fatalf("frames: %d of %d, %v", len(frames), total, err)
	}
	var lines []string
	for _, f := range frames {
		lines = append(lines, fmt.Sprintf("%s %s:%d", f.Name, f.Path, f.Line))
	}
	return strings.Join(lines, ", ")
}

// eval evaluates an expression in the innermost frame.
func (s *session) eval(src string) string {
	s.Helper()
	v, err := s.run.Evaluate(s.ctx(), 0, src, Watch)
	if err != nil {
		return "error: " + err.Error()
	}
	return v.Value
}

// place is where a stop is.
func (s Stop) place() string {
	return fmt.Sprintf("%s:%d:%d %s", s.Path, s.Line, s.Column, s.Reason)
}

// steps moves on until the end and returns where the program stopped.
func (s *session) steps(m Move) (places []string, result Result) {
	s.Helper()
	for {
		switch ev := s.next().(type) {
		case Stopped:
			places = append(places, fmt.Sprintf("%s:%d", ev.Stop.Path, ev.Stop.Line))
			s.resume(m)
		case Ended:
			return places, ev.Result
		}
	}
}

func wantText(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %s\nwant %s", what, got, want)
	}
}

// errOf returns the text of an error, or the empty string.
func errOf(err error) string {
	if err == nil {
		return ""
	}
	var failed *starlark.EvalError
	if errors.As(err, &failed) {
		return failed.Msg
	}
	return err.Error()
}
