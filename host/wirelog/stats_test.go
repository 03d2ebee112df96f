package wirelog

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"
)

// examine feeds a log to stats and, if it is not nil, a printer.
func examine(t *testing.T, log io.Reader, protocols Protocols, p *Printer) *Stats {
	t.Helper()
	stats := &Stats{}
	tracker := NewTracker(protocols)
	for _, r := range readAll(t, log) {
		for _, ev := range tracker.Add(r) {
			stats.Add(ev)
			if p == nil {
				continue
			}
			if err := p.Print(ev); err != nil {
				t.Fatal(err)
			}
		}
	}
	return stats
}

func TestStats(t *testing.T) {
	log := `
		> {"method":"note"}
		< {"id":99,"result":1}`
	for i := range 20 { // the i-th answer comes i+1 ms after its request
		log += fmt.Sprintf("\n> {\"id\":%d,\"method\":\"call\"}", i)
		log += strings.Repeat("\n> {\"method\":\"note\"}", i)
		if i == 7 {
			log += fmt.Sprintf("\n< {\"id\":%d,\"error\":{\"code\":1,\"message\":\"m\"}}", i)
		} else {
			log += fmt.Sprintf("\n< {\"id\":%d,\"result\":null}", i)
		}
	}
	stats := examine(t, parseLog(t, "plain", log), nil, nil)
	got := stats.Methods()
	want := []MethodStats{
		{Protocol: "plain", Method: "note", Dir: In, Count: 191, Bytes: 191 * 17},
		{Protocol: "plain", Method: "call", Dir: In, Count: 20, Answers: 20, Errors: 1,
			Bytes: 10*24 + 10*25 + 9*22 + 10*23 + 41, // ids of one digit and of two
			P50:   10 * time.Millisecond, P95: 19 * time.Millisecond, Max: 20 * time.Millisecond},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	var table strings.Builder
	if err := stats.Print(&table); err != nil {
		t.Fatal(err)
	}
	const row = "call    plain     in   20     1       10ms  19ms  20ms"
	if !strings.Contains(table.String(), row) {
		t.Errorf("the table lacks %q:\n%s", row, table.String())
	}
}
