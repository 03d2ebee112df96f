package cli

import (
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/sourcegraph/jsonrpc2"

	"triplex/host"
)

// metrics are the counters of a host in the form of Prometheus.
type metrics struct {
	latency *prometheus.HistogramVec
	errors  *prometheus.CounterVec
	started prometheus.Counter

	mu       sync.Mutex // guards the fields below
	live     map[guest]struct{}
	bytesIn  int64 // of those that are gone
	bytesOut int64
	methods  map[string]string // the labels of those with counters of their own
}

// Bounds of the methods with counters of their own: a peer can make up any number of names, of any
// length in bytes.
const (
	maxMethods    = 500
	maxMethodName = 100
)

// The labels of methods without counters of their own.
const (
	unknownMethod = "(unknown)" // it was answered -32601
	otherMethod   = "(other)"
)

func newMetrics() *metrics {
	labels := []string{"protocol", "method"}
	return &metrics{
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "triplex_handling_seconds",
			Help:    "Time from reading a request or notification to the end of its handling.",
			Buckets: prometheus.ExponentialBuckets(0.0001, 4, 10), // 0.1 ms to 26 s
		}, labels),
		errors: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "triplex_errors_total",
			Help: "Requests and notifications whose handling failed.",
		}, labels),
		started: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "triplex_sessions_total",
			Help: "Sessions started so far.",
		}),
		live:    map[guest]struct{}{},
		methods: map[string]string{},
	}
}

// Started implements [host.Observer].
func (m *metrics) Started(s *host.Session) { m.begin(s) }

// Ended implements [host.Observer].
func (m *metrics) Ended(s *host.Session) { m.end(s) }

// Handled implements [host.Observer].
func (m *metrics) Handled(s *host.Session, method string, took time.Duration, err error) {
	m.observe(s, method, took, err)
}

// begin counts a client in.
func (m *metrics) begin(c guest) {
	m.started.Inc()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.live[c] = struct{}{}
}

// end counts it out, once all was done for it.
func (m *metrics) end(c guest) {
	st := c.Stats()
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.live, c)
	m.bytesIn += st.BytesIn
	m.bytesOut += st.BytesOut
}

// observe counts a message of a client that was handled.
func (m *metrics) observe(c guest, method string, took time.Duration, err error) {
	protocol := ""
	if d := c.Dialect(); d != nil {
		protocol = d.Name
	}
	method = m.label(method, err)
	m.latency.WithLabelValues(protocol, method).Observe(took.Seconds())
	if err != nil {
		m.errors.WithLabelValues(protocol, method).Inc()
	}
}

// label returns the method's label. That is a copy, as the name may be part of a message, which it
// would keep in memory.
func (m *metrics) label(method string, err error) string {
	var answer *jsonrpc2.Error
	if errors.As(err, &answer) && answer.Code == jsonrpc2.CodeMethodNotFound {
		return unknownMethod
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	label, ok := m.methods[method]
	switch {
	case ok:
		return label
	case len(m.methods) == maxMethods || len(method) > maxMethodName:
		return otherMethod
	}
	label = strings.Clone(method)
	m.methods[label] = label
	return label
}

// What is counted by the sessions themselves.
var (
	sessionsDesc = prometheus.NewDesc("triplex_sessions", "Sessions open now.", nil, nil)
	inFlightDesc = prometheus.NewDesc("triplex_requests_in_flight",
		"Requests not yet answered.", nil, nil)
	queuedDesc = prometheus.NewDesc("triplex_queued_bytes",
		"Bytes that wait to be handled (in) or written (out).", []string{"direction"}, nil)
	bytesDesc = prometheus.NewDesc("triplex_bytes_total",
		"Bytes read (in) and written (out).", []string{"direction"}, nil)
)

// Describe implements prometheus.Collector.
func (m *metrics) Describe(descs chan<- *prometheus.Desc) {
	m.latency.Describe(descs)
	m.errors.Describe(descs)
	m.started.Describe(descs)
	for _, d := range []*prometheus.Desc{sessionsDesc, inFlightDesc, queuedDesc, bytesDesc} {
		descs <- d
	}
}

// Collect implements prometheus.Collector.
func (m *metrics) Collect(values chan<- prometheus.Metric) {
	m.latency.Collect(values)
	m.errors.Collect(values)
	m.started.Collect(values)
	live, sum := m.snapshot()
	for _, s := range live {
		st := s.Stats()
		sum.InFlight += st.InFlight
		sum.QueuedIn += st.QueuedIn
		sum.QueuedOut += st.QueuedOut
		sum.BytesIn += st.BytesIn
		sum.BytesOut += st.BytesOut
	}
	gauge, counter := prometheus.GaugeValue, prometheus.CounterValue
	for _, v := range []struct {
		desc   *prometheus.Desc
		kind   prometheus.ValueType
		value  int64
		labels []string
	}{
		{sessionsDesc, gauge, int64(len(live)), nil},
		{inFlightDesc, gauge, int64(sum.InFlight), nil},
		{queuedDesc, gauge, int64(sum.QueuedIn), []string{"in"}},
		{queuedDesc, gauge, int64(sum.QueuedOut), []string{"out"}},
		{bytesDesc, counter, sum.BytesIn, []string{"in"}},
		{bytesDesc, counter, sum.BytesOut, []string{"out"}},
	} {
		values <- prometheus.MustNewConstMetric(v.desc, v.kind, float64(v.value), v.labels...)
	}
}

// snapshot returns those who are served, and what those counted that are gone.
func (m *metrics) snapshot() (live []guest, gone host.Stats) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for s := range m.live {
		live = append(live, s)
	}
	return live, host.Stats{BytesIn: m.bytesIn, BytesOut: m.bytesOut}
}
