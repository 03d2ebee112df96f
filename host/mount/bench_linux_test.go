package mount_test

import (
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"triplex/framing"
	"triplex/host"
)

// BenchmarkRoundTrip has a server in a process of its own answer, directly and through a relay. The
// difference of the two in cpu-µs/op, the CPU time of this process, is what the relay costs, and in
// ns/op how much later the answer is there.
func BenchmarkRoundTrip(b *testing.B) {
	for _, size := range []struct {
		name  string
		bytes int
	}{{"small", 10}, {"1MiB", 1 << 20}} {
		params := `["` + strings.Repeat("x", size.bytes) + `"]`
		b.Run(size.name+"/direct", func(b *testing.B) { roundTrips(b, direct(b), params) })
		b.Run(size.name+"/relay", func(b *testing.B) { roundTrips(b, relayed(b), params) })
	}
}

// direct starts the server and returns the stream to it.
func direct(b *testing.B) io.ReadWriteCloser {
	cmd := exec.Command(os.Args[0], roleFake, framing.ContentLength.String(), "forget")
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	return pipes{out, in}
}

// relayed serves the mounted server on a socket and returns the stream to the relay.
func relayed(b *testing.B) io.ReadWriteCloser {
	ln, err := net.Listen("unix", filepath.Join(b.TempDir(), "s"))
	if err != nil {
		b.Fatal(err)
	}
	defer ln.Close()
	client, err := net.Dial("unix", ln.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	conn, err := ln.Accept()
	if err != nil {
		b.Fatal(err)
	}
	set := fakeMount(b, "plain", framing.ContentLength, "forget")
	h := &host.Host{Mounts: []host.MethodSet{set}}
	s, err := h.Attach(conn, host.PeerInfo{Network: "unix"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		client.Close()
		<-s.Done()
	})
	return client
}

// roundTrips sends one request after the other and waits for each answer.
func roundTrips(b *testing.B, conn io.ReadWriteCloser, params string) {
	frame := framing.ContentLength.Append(nil, []byte(request("1", "echo", params)))
	in := framing.NewReader(conn, framing.ContentLength, framing.Limits{})
	trip := func() {
		go conn.Write(frame) // a large one is answered before it has been written
		if _, err := in.Next(); err != nil {
			b.Fatal(err)
		}
	}
	trip()
	b.ReportAllocs()
	began := cpuTime(b)
	for b.Loop() {
		trip()
	}
	b.ReportMetric(float64((cpuTime(b)-began).Microseconds())/float64(b.N), "cpu-µs/op")
}

// cpuTime returns the CPU time that this process has used.
func cpuTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
