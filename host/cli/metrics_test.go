package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
	"unsafe"

	"triplex/host"
)

func TestMetrics(t *testing.T) {
	p := start(t, "serve", "--listen", anyPort, "--metrics", "http://127.0.0.1:0/metrics")
	url := p.line("metrics at ")
	ended, open := p.dial(), p.dial()
	roundTrip(t, ended, bufio.NewReader(ended), 1)
	ended.Close()
	r := bufio.NewReader(open)
	io.WriteString(open, request(1, "fail", `{"code":1,"message":"m"}`))
	r.ReadString('\n')
	io.WriteString(open, request(2, "no such method", "[]"))
	r.ReadString('\n')
	io.WriteString(open, request(3, "sleep", `{"ms":60000}`))
	roundTrip(t, open, r, 4)

	bytesIn := len(request(1, "echo", "[1]")) + len(request(1, "fail", `{"code":1,"message":"m"}`)) +
		len(request(2, "no such method", "[]")) + len(request(3, "sleep", `{"ms":60000}`)) +
		len(request(4, "echo", "[4]"))
	text := scrape(t, url)
	for _, want := range []string{
		`triplex_handling_seconds_count{method="echo",protocol="plain"} 2`,
		`triplex_handling_seconds_bucket{method="echo",protocol="plain",le="+Inf"} 2`,
		`triplex_errors_total{method="fail",protocol="plain"} 1`,
		`triplex_errors_total{method="(unknown)",protocol="plain"} 1`,
		`triplex_requests_in_flight 1`,
		`triplex_sessions_total 2`,
		`triplex_queued_bytes{direction="in"} 0`,
		fmt.Sprintf(`triplex_bytes_total{direction="in"} %d`, bytesIn),
		`go_goroutines `,
	} {
		if !strings.Contains(text, "\n"+want) {
			t.Errorf("there is no line %s", want)
		}
	}
	if strings.Contains(text, `triplex_errors_total{method="echo"`) {
		t.Error("successes count as errors")
	}
}

func scrape(t *testing.T, url string) string {
	t.Helper()
	client := &http.Client{Timeout: patience}
	defer client.CloseIdleConnections()
	res, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %v", res.Status, err)
	}
	return string(body)
}

func TestMetricsStayOnThisMachine(t *testing.T) {
	const everywhere = "http://0.0.0.0:0/metrics"
	_, errs, status := run(t, "", "serve", "--listen", anyPort, "--metrics", everywhere)
	if status != exitFailure || !strings.Contains(errs, "other machines can reach") {
		t.Errorf("exit status %d: %s", status, errs)
	}
	p := start(t, "serve", "--listen", anyPort, "--metrics", everywhere, "--metrics-public")
	p.line("metrics at http://0.0.0.0:")
}

// A peer can make up any number of methods that a mount may or may not know.
func TestMethodsOfMetricsAreBounded(t *testing.T) {
	m := newMetrics()
	s := new(host.Session)
	for i := range 2 * maxMethods {
		m.Handled(s, fmt.Sprint("method", i), time.Millisecond, nil)
		m.Handled(s, fmt.Sprint("missing", i), time.Millisecond, host.MethodNotFound("x"))
	}
	if got := len(m.methods); got != maxMethods {
		t.Errorf("%d methods have counters", got)
	}
	for method, want := range map[string]string{
		"method0": "method0", "missing0": otherMethod, "new": otherMethod,
	} {
		if got := m.label(method, errors.New("failed")); got != want {
			t.Errorf("%s counts as %s, want %s", method, got, want)
		}
	}
}

// A method that was part of a large message used to keep that in memory as long as the host ran.
func TestMethodsOfMetricsKeepNoMessages(t *testing.T) {
	m := newMetrics()
	frame := []byte(`{"method":"tools/list"}`)
	method := unsafe.String(&frame[len(`{"method":"`)], len("tools/list"))
	m.label(method, nil)
	clear(frame)
	if got := m.label("tools/list", nil); got != "tools/list" || len(m.methods) != 1 {
		t.Errorf("it counts as %q, one of %q", got, m.methods)
	}
	if got := m.label(strings.Repeat("x", maxMethodName+1), nil); got != otherMethod {
		t.Errorf("a long name counts as %q", got)
	}
}

// gauge returns the value of a metric.
func gauge(t *testing.T, url, name string) (value float64) {
	t.Helper()
	_, rest, _ := strings.Cut(scrape(t, url), "\n"+name+" ")
	if _, err := fmt.Sscan(rest, &value); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return value
}

func TestFloodOfConnectionsLeavesNothing(t *testing.T) {
	p := start(t, "serve", "--listen", anyPort, "--metrics", "http://127.0.0.1:0/metrics",
		"--log-level", "error")
	url := p.line("metrics at ")
	before := map[string]float64{}
	for _, name := range []string{"triplex_sessions", "process_open_fds", "go_goroutines"} {
		before[name] = gauge(t, url, name)
	}
	for i := range 2000 {
		conn := p.dial()
		if i%2 == 0 {
			roundTrip(t, conn, bufio.NewReader(conn), i)
		}
		conn.Close()
	}
	const others = 5 // the runtime's own goroutines and files come and go
	for name, value := range before {
		for deadline := time.Now().Add(patience); gauge(t, url, name) > value+others; {
			if time.Now().After(deadline) {
				t.Fatalf("%s was %v and is %v", name, value, gauge(t, url, name))
			}
		}
	}
}
