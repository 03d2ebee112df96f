package wirelog

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
)

// TestCreateDoesNotWaitForAReader: a named pipe that nobody reads used to hold up the program,
// which then could not be ended either.
func TestCreateDoesNotWaitForAReader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(path, Options{}); !errors.Is(err, syscall.ENXIO) {
		t.Errorf("got %v, want %v", err, syscall.ENXIO)
	}
}
