package process_test

import (
	"os/exec"
	"runtime"
	"testing"

	"triplex/host/process"
)

// A client whose parent had not asked for its status used to count as alive in a language server's
// session, which went on without it.
func TestAProcessThatNobodyWaitedForHasEnded(t *testing.T) {
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Skip("cannot start a process:", err)
	}
	defer cmd.Wait()
	p, err := process.Find(cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Release()
	cmd.Process.Kill()
	for !p.Ended() {
		runtime.Gosched()
	}
}
