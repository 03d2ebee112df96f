package wirelog_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"triplex/host/wirelog"
)

const exampleLog = `
{"time":"2026-03-01T10:00:00Z","session":"s1","dir":"in","msg":{"id":1,"method":"hover"}}
{"time":"2026-03-01T10:00:00.004Z","session":"s1","dir":"in","msg":{"id":2,"method":"rename"}}
{"time":"2026-03-01T10:00:00.012Z","session":"s1","dir":"out","msg":{"id":1,"result":null}}
`

// Read a log once, print its messages and find broken rules.
func Example() {
	reader := wirelog.NewReader(strings.NewReader(exampleLog))
	tracker := wirelog.NewTracker(wirelog.Protocols{})
	checker := wirelog.NewChecker(tracker)
	printer := &wirelog.Printer{W: os.Stdout}
	for {
		record, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			fmt.Println(err)
			continue
		}
		for _, event := range tracker.Add(record) {
			printer.Print(event)
			for _, finding := range checker.Event(event) {
				fmt.Println(finding)
			}
		}
	}
	for _, finding := range checker.End() {
		fmt.Println(finding)
	}
	// Output:
	// 10:00:00.000 s1 -> hover #1 25 B
	// 10:00:00.004 s1 -> rename #2 26 B
	// 10:00:00.012 s1 <- hover #1 22 B 12ms
	// line 3 (s1): request 2 rename was never answered
}
