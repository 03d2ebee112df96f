package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recorded is a recording with an answered request, a failed one, and one without an answer.
var recorded = logged("s1", "lsp", "in", "00Z", `"id":1,"method":"initialize","params":{}`) +
	logged("s1", "lsp", "out", "00.25Z", `"id":1,"result":{}`) +
	logged("s1", "lsp", "in", "01Z", `"method":"initialized","params":{}`) +
	logged("s1", "lsp", "in", "02Z", `"id":2,"method":"textDocument/hover"`) +
	logged("s1", "lsp", "out", "02.001Z", `"id":2,"error":{"code":-32803,"message":"no"}`) +
	logged("s2", "", "in", "03Z", `"id":7,"method":"initialize","params":{}`)

// logged is a line of a log; the time is in seconds.
func logged(session, protocol, dir, time, members string) string {
	return fmt.Sprintf(`{"time":"2026-03-01T10:00:%s","session":%q,"protocol":%q,"dir":%q,`+
		`"msg":{"jsonrpc":"2.0",%s}}`+"\n", time, session, protocol, dir, members)
}

// Any file used to be printed as a flood of errors, with the exit status of a log.
func TestLogOfSomethingElse(t *testing.T) {
	path := write(t, strings.Repeat("something else\n", 30)+`{"dir":"in","msg":`)
	out, stderr, status := run(t, "", "log", path)
	if status != exitFailure || out != "" {
		t.Errorf("exit status %d, %s", status, out)
	}
	for _, want := range []string{
		"line 20: not a record", "lines that cannot be read: 30", "the last line is not complete",
	} {
		if !strings.Contains(stderr, want) {
			t.Errorf("there is no %q in %s", want, stderr)
		}
	}
	if strings.Contains(stderr, "line 21:") {
		t.Errorf("too much is told: %s", stderr)
	}
}

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLogPrints(t *testing.T) {
	path := write(t, recorded)
	tests := []struct {
		name  string
		flags []string
		want  []string // a part of each line
	}{
		{"all", nil, []string{
			"s1 -> initialize #1", "s1 <- initialize #1 36 B 250ms", "-> initialized",
			"-> textDocument/hover #2", "error: -32803 no", "s2 -> initialize #7",
		}},
		{"methods", []string{"--method", "textDocument/*"}, []string{"-> textDocument/hover",
			"<- textDocument/hover"}},
		{"a session", []string{"--session", "s2"}, []string{"s2 -> initialize"}},
		{"a direction", []string{"--dir=out"}, []string{"<- initialize", "<- textDocument/hover"}},
		{"errors", []string{"--errors"}, []string{"error: -32803 no"}},
		{"slow answers", []string{"--slower=100ms"}, []string{"<- initialize #1"}},
		{"json", []string{"--json", "--method=initialized"}, []string{
			`"protocol":"lsp","dir":"in","kind":"notification","method":"initialized"`}},
		{"the protocol of a session that does not name it", []string{"--json", "--session=s2"},
			[]string{`"protocol":"lsp"`}},
		{"a table", []string{"--stats", "--session=s1"}, []string{"METHOD", "initialize  ",
			"initialized", "textDocument/hover"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, stderr, status := run(t, "", append(append([]string{"log"}, tt.flags...), path)...)
			lines := strings.Split(strings.TrimSpace(out), "\n")
			if status != exitOK || len(lines) != len(tt.want) {
				t.Fatalf("exit status %d\n%s%s", status, out, stderr)
			}
			for i, line := range lines {
				if !strings.Contains(line, tt.want[i]) {
					t.Errorf("got %s\nwant something with %q in it", line, tt.want[i])
				}
			}
		})
	}
}

func TestLogChecks(t *testing.T) {
	in := func(members string) string { return logged("s", "lsp", "in", "00Z", members) }
	out := func(members string) string { return logged("s", "lsp", "out", "00Z", members) }
	dap := func(dir, body string) string {
		return fmt.Sprintf(`{"us":1,"dir":%q,"body":%q}`+"\n", dir, body)
	}
	initialize, initialized := in(`"id":1,"method":"initialize"`), out(`"id":1,"result":{}`)
	end := out(`"method":"$/progress","params":{"token":1,"value":{"kind":"end"}}`)
	const continues = `{"time":"2026-03-01T10:00:00Z","continues":true}` + "\n"
	hover := in(`"id":2,"method":"textDocument/hover"`) + out(`"id":2,"result":null`)
	again := strings.ReplaceAll(initialize+initialized+initialize+initialized, `"s"`, `"later"`)
	tests := []struct{ name, log, want string }{
		// Every message of a session whose beginning was rotated away used to be reported.
		{"from the middle of a session", continues + out(`"id":1,"result":{}`) + hover + hover,
			"no rule is broken"},
		{"a later session than that", continues + hover + again,
			"line 6 (later): initialize: initialize may be sent only once"},
		{"nothing wrong", initialize + initialized, "no rule is broken"},
		{"no answer", recorded, "line 6 (s2): request 7 initialize was never answered"},
		{
			"too early",
			in(`"id":1,"method":"x"`) + out(`"id":1,"error":{"code":-32002,"message":""}`),
			"line 1 (s): x: the session is not initialized",
		},
		{
			"twice", initialize + initialized + initialize + initialized,
			"line 3 (s): initialize: initialize may be sent only once",
		},
		{
			"sent before the answer to initialize",
			initialize + out(`"method":"textDocument/publishDiagnostics"`) + initialized,
			"line 2 (s): textDocument/publishDiagnostics comes before it may be sent",
		},
		{
			"progress after its end", initialize + initialized + end + end,
			"line 4 (s): progress on token 1, which has ended",
		},
		{
			"a shape",
			dap("c2s", `{"seq":1,"type":"request","command":"initialize",`+
				`"arguments":{"adapterID":7}}`) +
				dap("s2c", `{"seq":1,"type":"response","request_seq":1,"success":true,`+
					`"command":"initialize"}`),
			"line 1: the arguments of initialize: ",
		},
		{"no record", "{}\n", "line 1: not a record"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, stderr, status := run(t, "", "log", "--check", write(t, tt.log))
			wantStatus := exitFailure
			if tt.want == "no rule is broken" {
				wantStatus = exitOK
			}
			if !strings.Contains(out+stderr, tt.want) || status != wantStatus {
				t.Errorf("exit status %d, %s%s", status, out, stderr)
			}
		})
	}
}

// TestLogChecksRecordings checks what real debug adapters said. Each line that is reported breaks a
// rule that the adapter is known to break.
func TestLogChecksRecordings(t *testing.T) {
	const folder = "../../../shared/recordings/"
	for file, want := range map[string]string{
		"dap-debugpy-session.jsonl": "line 2: output comes before it may be sent\n" +
			"line 3: output comes before it may be sent\n",
		"dap-dlv-session.jsonl": "line 36: continued comes before it may be sent\n" +
			"line 40: continued comes before it may be sent\n" +
			"line 59: terminated is out of place here\n",
		"dap-lldb-dap-22-session.jsonl": "line 52: continued comes before it may be sent\n",
	} {
		t.Run(file, func(t *testing.T) {
			if _, err := os.Stat(folder + file); err != nil {
				t.Skipf("no recording beside the checkout: %v", err)
			}
			out, _, status := run(t, "", "log", "--check", folder+file)
			if out != want || status != exitFailure {
				t.Errorf("exit status %d\n%s", status, out)
			}
		})
	}
}

func TestLogFollows(t *testing.T) {
	path := write(t, recorded)
	p := start(t, "log", "--follow", "--method=*/added", path)
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	file.WriteString(`{"dir":"in","msg":{"jsonrpc":"2.0","method":"was/added"}}` + "\n")
	line, err := p.stdout.ReadString('\n')
	if err != nil || !strings.Contains(line, "was/added") {
		t.Errorf("got %q, %v", line, err)
	}
	p.cmd.Process.Signal(os.Interrupt)
	p.want(exitOK)
}

func TestLogUsage(t *testing.T) {
	for args, want := range map[string]string{
		"log":                         "want one FILE, but got 0 arguments",
		"log --check --stats x":       "--check goes with none of",
		"log --stats --json x":        "--stats goes with neither",
		"log --check --errors x":      "--check looks at all messages",
		"log --dir up x":              "want in or out",
		"log --method [ x":            "want * for any part of a name",
		"log --as nothing /dev/null":  "unknown dialect",
		"log --slower soon /dev/null": "want a duration",
	} {
		t.Run(args, func(t *testing.T) {
			_, stderr, status := run(t, "", strings.Fields(args)...)
			if status != exitUsage || !strings.Contains(stderr, want) {
				t.Errorf("exit status %d, %q, want %q", status, stderr, want)
			}
		})
	}
}

func TestRecord(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	h := start(t, "serve", "--listen", anyPort, "--record", path, "--redact", "Token")
	p := start(t, "attach", h.address())
	for _, message := range []string{
		request(1, "echo", `{"token":"secret","n": 1.50}`), "no message\n",
	} {
		p.stdin.WriteString(message)
		if _, err := p.stdout.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	p.stdin.Close()
	p.want(exitOK)
	h.cmd.Process.Signal(os.Interrupt)
	h.want(exitOK)

	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for i, want := range []string{
		`"protocol":"plain","dir":"in","msg":{"jsonrpc":"2.0","id":1,"method":"echo",` +
			`"params":{"token":"***","n": 1.50}}}`,
		`"dir":"out","msg":{"jsonrpc":"2.0","id":1,"result":{"token":"***","n": 1.50}}}`,
		`"dir":"in","raw":"`,
		`"dir":"out","msg":{"jsonrpc":"2.0","id":null,"error":{"code":-32700`,
	} {
		if i >= len(lines) || !strings.Contains(lines[i], want) {
			t.Fatalf("line %d: want something with %q in it\n%s", i+1, want, text)
		}
	}
	var record struct{ Session, Peer string }
	if err := json.Unmarshal([]byte(lines[0]), &record); err != nil ||
		!strings.HasPrefix(record.Session, "s1-") ||
		!strings.HasPrefix(record.Peer, "tcp://127.0.0.1:") {
		t.Errorf("%+v, %v", record, err)
	}
}

// TestRecordingsInOneFile: each host called its first session s1, so that the check of a file with
// two recordings found a session that went on after its end.
func TestRecordingsInOneFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	session := request(1, "initialize", "{}") + request(2, "shutdown", "null") +
		`{"jsonrpc":"2.0","method":"exit"}` + "\n"
	for range 2 {
		p := start(t, "serve", "--mount", "language", "--record", path)
		for _, message := range strings.SplitAfter(strings.TrimSpace(session), "\n") {
			p.stdin.WriteString(message)
			if !strings.Contains(message, `"id"`) {
				continue
			}
			if _, err := p.stdout.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
		p.stdin.Close()
		p.want(exitOK)
	}
	if out, stderr, status := run(t, "", "log", "--check", path); status != exitOK {
		t.Errorf("exit status %d, %s%s", status, out, stderr)
	}
}

func TestAttachRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	p := attachTo(t, []string{"--mount", "language"}, "--record", path)
	p.stdin.WriteString(request(1, "initialize", "{}"))
	if _, err := p.stdout.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	p.stdin.Close()
	p.want(exitFailure) // no shutdown
	out, _, status := run(t, "", "log", "--check", path)
	if status != exitOK {
		t.Errorf("check: %s", out)
	}
	if out, _, _ := run(t, "", "log", path); strings.Count(out, "initialize #1") != 2 {
		t.Errorf("got %s", out)
	}
}
