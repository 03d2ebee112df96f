package wirelog

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// Stats counts messages by method. The zero value is ready to use, by one goroutine.
type Stats struct {
	rows map[statsKey]*row
}

type statsKey struct {
	protocol, method string
	dir              Dir
}

type row struct {
	count, errors, bytes int
	latencies            []time.Duration // 8 bytes for each answer, far less than its line took
}

// MethodStats is what happened to one method in one direction.
type MethodStats struct {
	Protocol string
	Method   string
	Dir      Dir // of the request or notification
	Count    int // requests or notifications
	Answers  int // that belong to a request in the log
	Errors   int // answers that are errors
	Bytes    int // of all these messages

	// Latencies from request to answer, the percentiles by nearest rank; zero without answers.
	P50, P95, Max time.Duration
}

// Add counts an event. Answers without a request in the log, and what is not a message, do not
// count.
func (s *Stats) Add(ev Event) {
	switch {
	case ev.Kind == Request || ev.Kind == Notification:
		r := s.row(ev.Record, ev.Method)
		r.count++
		r.bytes += ev.Size
	case ev.Request != nil:
		r := s.row(ev.Request.Record, ev.Request.Method)
		r.bytes += ev.Size
		r.latencies = append(r.latencies, ev.Latency)
		if ev.Err != "" {
			r.errors++
		}
	}
}

func (s *Stats) row(r Record, method string) *row {
	if s.rows == nil {
		s.rows = make(map[statsKey]*row)
	}
	key := statsKey{r.Protocol, method, r.Dir}
	if s.rows[key] == nil {
		s.rows[key] = &row{}
	}
	return s.rows[key]
}

// Methods returns the statistics, the most frequent method first.
func (s *Stats) Methods() []MethodStats {
	var all []MethodStats
	for key, r := range s.rows {
		slices.Sort(r.latencies)
		all = append(all, MethodStats{
			Protocol: key.protocol, Method: key.method, Dir: key.dir,
			Count: r.count, Answers: len(r.latencies), Errors: r.errors, Bytes: r.bytes,
			P50: r.percentile(50), P95: r.percentile(95), Max: r.percentile(100),
		})
	}
	slices.SortFunc(all, func(a, b MethodStats) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Method, b.Method),
			cmp.Compare(a.Protocol, b.Protocol), cmp.Compare(a.Dir, b.Dir))
	})
	return all
}

// percentile returns the latency at a percentile, by nearest rank. The latencies must be sorted.
func (r *row) percentile(percent int) time.Duration {
	if len(r.latencies) == 0 {
		return 0
	}
	return r.latencies[(len(r.latencies)*percent+99)/100-1]
}

// Print writes the statistics as a table.
func (s *Stats) Print(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "METHOD\tPROTOCOL\tDIR\tCOUNT\tERRORS\tP50\tP95\tMAX\tBYTES")
	for _, m := range s.Methods() {
		p50, p95, slowest := "-", "-", "-"
		if m.Answers > 0 {
			p50, p95, slowest = duration(m.P50), duration(m.P95), duration(m.Max)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\n", clean(m.Method),
			clean(cmp.Or(m.Protocol, "-")), m.Dir, m.Count, m.Errors, p50, p95, slowest,
			byteSize(m.Bytes))
	}
	return table.Flush()
}
