package wirelog

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

func TestPrinter(t *testing.T) {
	log := parseLog(t, "plain", `
		> {"id":"x\u0007","method":"a\u001b[31m"}
		< {"id":"x\u0007","error":{"code":-32601,"message":"no\nsuch"}}
		> {"method":"n"}
		< {"id":9,"result":1}
		> {bad
		> {}
		dropped
		continues`)
	want := strings.Join([]string{
		`10:00:00.000 s1 -> a�[31m #"x\u0007" 39 B`,
		`10:00:00.001 s1 <- a�[31m #"x\u0007" 61 B 1ms error: -32601 no�such`,
		`10:00:00.002 s1 -> n 14 B`,
		`10:00:00.003 s1 <- (no request) #9 19 B`,
		`10:00:00.004 s1 -> not a message 4 B`,
		`10:00:00.005 s1 -> unknown message 2 B`,
		`10:00:00.006 s1 -- messages missing here: 1 --`,
		`10:00:00.007 s1 -- continues a rotated file --`,
	}, "\n") + "\n"
	var text, colored strings.Builder
	var again bytes.Buffer
	examine(t, io.TeeReader(log, &again), nil, &Printer{W: &text})
	if got := text.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	examine(t, &again, nil, &Printer{W: &colored, Color: true})
	const red = "\x1b[31merror: -32601 no\uFFFDsuch\x1b[0m"
	if !strings.Contains(colored.String(), red) {
		t.Errorf("the error is not red:\n%q", colored.String())
	}
}
