package process_test

import (
	"os/exec"
	"testing"

	"triplex/host/process"
)

func TestAProcessThatEndsIsSeenToHaveEnded(t *testing.T) {
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Skip("cannot start a process:", err)
	}
	p, err := process.Find(cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Release()
	if p.Ended() {
		t.Error("it ended at once")
	}
	cmd.Process.Kill()
	cmd.Wait()
	if !p.Ended() {
		t.Error("it was killed, and goes on")
	}
	if again, err := process.Find(cmd.Process.Pid); err == nil {
		again.Release()
		t.Error("it was found after its end")
	}
}
