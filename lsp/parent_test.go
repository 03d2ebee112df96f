package lsp

import (
	"context"
	"fmt"
	"math"
	"os/exec"
	"testing"
	"testing/synctest"
	"time"

	"triplex/host"
)

func TestL10AwaitDeathLooksEveryThreeSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began, looks := time.Now(), 0
		died := awaitDeath(t.Context(), func() bool {
			looks++
			return looks < 4
		})
		if took := time.Since(began); !died || took != 4*parentPoll {
			t.Errorf("died %t after %s, expected true after %s", died, took, 4*parentPoll)
		}
	})
}

func TestL10AwaitDeathEndsWithItsSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if awaitDeath(ctx, func() bool { return true }) {
			t.Error("a process that lives was taken for dead")
		}
	})
}

func TestL10TheSessionEndsWithTheClientsProcess(t *testing.T) {
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Skip("cannot start a process:", err)
	}
	synctest.Test(t, func(t *testing.T) {
		p := start(t, &Server{})
		p.Send(request("0", "initialize",
			fmt.Sprintf(`{"processId":%d,"capabilities":{}}`, cmd.Process.Pid)))
		answer(t, p, "0")
		time.Sleep(10 * parentPoll)
		settle(t, p)
		cmd.Process.Kill()
		cmd.Wait()
		p.ExpectEnd()
		wantStatus(t, p, 1)
	})
}

func TestL10IsLocal(t *testing.T) {
	tests := []struct {
		peer host.PeerInfo
		want bool
	}{
		{host.PeerInfo{Network: "stdio"}, true},
		{host.PeerInfo{Network: "unix", Address: "/run/x"}, true},
		{host.PeerInfo{Network: "tcp", Address: "127.0.0.1:1234"}, true},
		{host.PeerInfo{Network: "tcp", Address: "[::1]:1234"}, true},
		{host.PeerInfo{Network: "tcp", Address: "192.0.2.1:1234"}, false},
		{host.PeerInfo{Network: "tcp6", Address: "[2001:db8::1]:1234"}, false},
		{host.PeerInfo{Network: "tcp"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.peer.String(), func(t *testing.T) {
			if got := isLocal(tt.peer); got != tt.want {
				t.Errorf("local is %t", got)
			}
		})
	}
}

// Servers in containers used to quit after three seconds, because they could not see the process
// id of their client (denoland/deno#22012).
func TestReport044InvisibleClientProcess(t *testing.T) {
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Skip("cannot run a process:", err)
	}
	for name, pid := range map[string]int{
		"invisible": 999999, "ended": gone.Process.Pid, "no process": -1, "zero": 0,
		"greatest": math.MaxInt32,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := start(t, &Server{})
				p.Send(request("0", "initialize",
					fmt.Sprintf(`{"processId":%d,"capabilities":{}}`, pid)))
				answer(t, p, "0")
				time.Sleep(10 * parentPoll)
				settle(t, p)
			})
		})
	}
}
