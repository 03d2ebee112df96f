package dap

import (
	"strings"
	"testing"

	"triplex/host/wirelog"
)

// check returns what is reported of a log with one message a line, each behind its direction.
func check(t *testing.T, lines ...string) string {
	t.Helper()
	var log strings.Builder
	for _, line := range lines {
		dir, msg, _ := strings.Cut(line, " ")
		log.WriteString(`{"protocol":"dap","dir":"` + dir + `","msg":` + msg + "}\n")
	}
	protocols := wirelog.Protocols{"dap": Dialect.Log}
	found, err := wirelog.Check(wirelog.NewReader(strings.NewReader(log.String())), protocols)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, f := range found {
		texts = append(texts, f.String())
	}
	return strings.Join(texts, "\n")
}

func TestCheckALog(t *testing.T) {
	const (
		next   = `in {"seq":"1","type":"request","command":"next","arguments":{"threadId":1}}`
		cancel = `in {"seq":2,"type":"request","command":"cancel","arguments":{"requestId":1}}`
		ok     = `out {"seq":1,"type":"response","request_seq":1,"success":true,"command":"next"}`
	)
	tests := []struct {
		name  string
		lines []string
		want  string // all that is reported
	}{
		{"in order", []string{next, ok}, ""},
		{"no answer", []string{next}, "line 1: request 1 next was never answered"},
		{
			"arguments of another shape",
			[]string{
				`in {"seq":1,"type":"request","command":"next","arguments":{"threadId":"1"}}`, ok,
			},
			"line 1: the arguments of next: ",
		},
		{
			"a body of another shape",
			[]string{`out {"seq":1,"type":"event","event":"stopped","body":{"reason":7}}`},
			"line 1: the body of stopped: ",
		},
		{
			"the body of a failure",
			[]string{next, `out {"seq":1,"type":"response","request_seq":1,"success":false,` +
				`"command":"next","message":"no","body":{"error":{"id":1,"format":"no"}}}`},
			"",
		},
		{"what a later schema may have", []string{`out {"seq":1,"type":"event","event":"x"}`}, ""},
		{
			"no message", []string{`out {"jsonrpc":"2.0","method":"x"}`},
			"line 1: neither a request nor a notification nor an answer",
		},
		{
			"a cancelled request that was never answered", []string{next, cancel,
				`out {"seq":2,"type":"response","request_seq":2,"success":true,"command":"cancel"}`},
			"line 1: request 1 next was never answered",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := check(t, tt.lines...)
			if !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" ||
				strings.Contains(got, "\n") {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
