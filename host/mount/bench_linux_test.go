package mount_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"triplex/framing"
)

// BenchmarkRoundTrip has a server that answers at once do so directly, which is the floor, and
// through a host, turn by turn, so that both meet the same weather. Server and host are processes
// of their own.
//
//	host-cpu-µs/op  the CPU time that the host takes for a round trip
//	floor-µs/op     how long a round trip takes without the host: the median
//	relay-µs/op     likewise with the host between
//	x-floor         the ratio of the two
func BenchmarkRoundTrip(b *testing.B) {
	for _, size := range []struct {
		name  string
		bytes int
	}{{"small", 10}, {"1MiB", 1 << 20}} {
		b.Run(size.name, func(b *testing.B) {
			text := strings.Repeat("abcdefghij ", size.bytes/11+1)
			compareTrips(b, `{"text":"`+text[:size.bytes]+`"}`)
		})
	}
}

func compareTrips(b *testing.B, params string) {
	_, direct := spawn(b, roleFloor)
	host, relayed := spawn(b, roleHost, "plain=exec:"+os.Args[0]+" "+roleFloor)
	frame := framing.ContentLength.Append(nil, []byte(request("1", "echo", params)))
	trip(b, direct, frame)
	trip(b, relayed, frame)
	var floor, relay []time.Duration
	began := cpuTime(b, host)
	for b.Loop() {
		floor = append(floor, trip(b, direct, frame))
		relay = append(relay, trip(b, relayed, frame))
	}
	cpu := cpuTime(b, host) - began
	b.ReportMetric(micros(cpu)/float64(b.N), "host-cpu-µs/op")
	b.ReportMetric(micros(median(floor)), "floor-µs/op")
	b.ReportMetric(micros(median(relay)), "relay-µs/op")
	b.ReportMetric(float64(median(relay))/float64(median(floor)), "x-floor")
	b.ReportMetric(0, "ns/op") // of both, which tells nothing
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// server is what a benchmark talks to: the test binary in some role.
type server struct {
	in  io.Writer
	out *bufio.Reader
}

// spawn starts the test binary in a role, until the end of the benchmark, and returns its process
// id.
func spawn(b *testing.B, args ...string) (pid int, s server) {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "GOGC=400") // package cli has a ballast for that
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
	return cmd.Process.Pid, server{in, bufio.NewReaderSize(out, 1<<16)}
}

// trip sends a request and waits for the answer, which is as long.
func trip(b *testing.B, s server, frame []byte) time.Duration {
	began := time.Now()
	if len(frame) > 1<<16 {
		go s.in.Write(frame) // more than fits into a pipe
	} else if _, err := s.in.Write(frame); err != nil {
		b.Fatal(err)
	}
	if _, err := readFrame(s.out, nil); err != nil {
		b.Fatal(err)
	}
	return time.Since(began)
}

// cpuTime returns the CPU time that a process has used, to the nanosecond.
func cpuTime(b *testing.B, pid int) (sum time.Duration) {
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		b.Fatal(err)
	}
	for _, task := range tasks {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/schedstat", pid, task.Name()))
		if err != nil {
			continue // the thread has ended
		}
		var ns int64
		if _, err := fmt.Sscan(string(stat), &ns); err != nil {
			b.Fatal(err)
		}
		sum += time.Duration(ns)
	}
	return sum
}
