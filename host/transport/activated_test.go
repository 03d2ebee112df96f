package transport_test

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"triplex/host/transport"
)

// activatedRole greets one connection on each socket that it was passed.
func activatedRole() error {
	lns, err := new(transport.Config).Activated()
	if err != nil {
		return err
	}
	if left := os.Getenv("LISTEN_FDS"); left != "" {
		return fmt.Errorf("children would see LISTEN_FDS=%s", left)
	}
	for _, ln := range lns {
		conn, err := ln.Accept()
		if err != nil {
			return err
		}
		if _, err := io.WriteString(conn, ln.Address.String()); err != nil {
			return err
		}
		conn.Close()
	}
	return nil
}

// activate runs the test binary with a socket, as systemd would. The process id is only known to
// the process itself.
func activate(t *testing.T, socket any) *exec.Cmd {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("there is no socket activation")
	}
	file, err := socket.(interface{ File() (*os.File, error) }).File()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	cmd := exec.Command("sh", "-c", `LISTEN_PID=$$ exec "$0"`, os.Args[0])
	cmd.Env = append(os.Environ(), raceQuick, roleVariable+"=activated", "LISTEN_FDS=1")
	cmd.ExtraFiles = []*os.File{file}
	return cmd
}

func TestActivatedSocketsAreServed(t *testing.T) {
	for _, address := range []string{"tcp 127.0.0.1:0", "unix " + t.TempDir() + "/s"} {
		network, target, _ := strings.Cut(address, " ")
		t.Run(network, func(t *testing.T) {
			socket, err := net.Listen(network, target)
			if err != nil {
				t.Fatal(err)
			}
			defer socket.Close()
			cmd := activate(t, socket)
			cmd.Stderr = os.Stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			conn, err := net.Dial(network, socket.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			got, _ := io.ReadAll(conn)
			if want := network + "://" + socket.Addr().String(); string(got) != want {
				t.Errorf("the process listens on %s, want %s", got, want)
			}
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAnActivatedSocketThatOthersReachIsRefused(t *testing.T) {
	socket, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	out, err := activate(t, socket).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "--tls-client-ca") {
		t.Errorf("got %v: %s", err, out)
	}
}

// A unit with Accept=yes passes connections. One used to be announced as an address.
func TestAnActivatedSocketThatDoesNotListenIsRefused(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	conn, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	out, err := activate(t, conn).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "Accept=no") {
		t.Errorf("got %v: %s", err, out)
	}
}

func TestSocketsOfAnotherProcessAreLeftAlone(t *testing.T) {
	t.Setenv("LISTEN_PID", "1")
	t.Setenv("LISTEN_FDS", "1")
	lns, err := new(transport.Config).Activated()
	if err != nil || lns != nil {
		t.Errorf("got %v, %v", lns, err)
	}
}
