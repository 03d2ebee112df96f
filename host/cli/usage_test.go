package cli

import (
	"strings"
	"testing"
)

func TestMistakesAreExplained(t *testing.T) {
	for _, tc := range []struct{ args, want string }{
		{"srve", `unknown command "srve"; did you mean serve?`},
		{"srve --stdio", `unknown command "srve"; did you mean serve?`},
		{"serve --listen tcp://[::1]:1 --listen tcp://[::1]:1", "is there twice"},
		{"serve --lisen tcp://127.0.0.1:0", "unknown flag: --lisen; did you mean --listen?"},
		{"serve extra", `serve takes no arguments, but got "extra"`},
		{"serve --stdio --exit-when-idle 5s", "did you mean --exit-when-idle=5s?"},
		{"serve --listen 127.0.0.1:4389", "did you mean tcp://127.0.0.1:4389?"},
		{"serve --listen tpc://127.0.0.1:4389", "want tcp://HOST:PORT, unix:///PATH, http://"},
		{"serve --mount ecoh",
			"did you mean echo? (known: echo, noisy, "},
		{"serve --mount ldp=exec:gopls", `unknown kind "ldp": want one of plain, polite`},
		{"serve --mount plain=gopls", "want exec:COMMAND, tcp://HOST:PORT or unix:///PATH"},
		{"serve --mount-framing x=newline", "no mount is called x"},
		{"serve --mount-framing echo=newline", "echo is part of this program"},
		{"serve --mount-framing echo", "want auto, content-length or newline"},
		{"serve --mount echo --mount echo", "a mount is called echo already"},
		{"serve --restarts often", "want a number and a duration, as in 5/3m, or 0"},
		{"serve --framing lines", "want auto, content-length or newline"},
		{"serve --max-frame 64MB", "want a number of bytes, as in 65536, 64KiB"},
		{"serve --max-frame 0", "want a number of bytes"},
		{"serve --max-frame 9999999999GiB", "want a number of bytes"},
		{"serve --max-sessions -1", "want a whole number from 1 up"},
		{"serve --drain-timeout 5", "want a duration, as in 500ms"},
		{"serve --exit-when-idle=soon", "want a duration"},
		{"serve --client-process-id me", "want a whole number"},
		{"serve --stdio --pipe=x", "choose one"},
		{"serve --tls-cert x", "all of --tls-cert, --tls-key and --tls-client-ca"},
		{"serve --metrics tcp://127.0.0.1:1", "want http://HOST:PORT/PATH"},
		{"serve --log-level loud", "want debug, info, warn or error"},
		{"serve --log-level fatal", "want debug, info, warn or error"},
		{"serve --log-format xml", "want text, logfmt or json"},
		{"call", "want ADDR METHOD [PARAMS]"},
		{"call echo", "want ADDR METHOD [PARAMS]"},
		{"call echo --", "no command after --"},
		{"call 127.0.0.1:4389 echo", "did you mean tcp://127.0.0.1:4389?"},
		{"call tcp://127.0.0.1:1 echo [1,", `no JSON: unexpected end of JSON input, at the end of "[1,"`},
		{"call tcp://127.0.0.1:1 echo {a:1}", `at the end of "{a"`},
		{"call tcp://127.0.0.1:1 echo 5", "want an object or an array"},
		{"call tcp://127.0.0.1:1 echo -", "standard input: want JSON, but there is nothing"},
		{"call tcp://127.0.0.1:1 echo [1] [2]", "quote the JSON"},
		{"call tcp://127.0.0.1:1 echo --as poli", "did you mean polite? (known: plain, polite"},
		{"call tcp://127.0.0.1:1 echo --answer x", "want METHOD=JSON"},
		{"call tcp://127.0.0.1:1 echo --answer x=y", "no JSON"},
		{"call tcp://127.0.0.1:1 echo --tls-ca x", "both --tls-cert and --tls-key"},
		{"call tcp://127.0.0.1:1 echo @", "want the name of a file behind @"},
		{"call -- cat", "want ADDR METHOD [PARAMS], or METHOD [PARAMS] -- CMD ARGS"},
		{"call tcp://127.0.0.1:1 echo -- cat", "the server is the command after --"},
		{"attach --start --mount echo", "behind --: attach --start -- --mount"},
		{"attach --strat", "did you mean --start?"},
		{"sessions", "want one ADDR, but got 0 arguments"},
		{"log one two", "want one FILE, but got 2 arguments"},
		{"sessions localhost:1", "did you mean tcp://localhost:1?"},
		{"sessions tcp://localhost:1 --tls-ca x", "both --tls-cert and --tls-key"},
		{"help nope", `unknown command "nope"`},
		{"help srve", "did you mean serve?"},
		{"help serve now", `unknown command "serve now"`},
		{"completion fsh", `unknown command "fsh"; did you mean fish?`},
		{"version now", `version takes no arguments, but got "now"`},
	} {
		t.Run(tc.args, func(t *testing.T) {
			out, errs, status := run(t, "", strings.Fields(tc.args)...)
			if status != exitUsage || out != "" {
				t.Errorf("exit status %d, standard output %q", status, out)
			}
			if !strings.Contains(errs, tc.want) || !strings.Contains(errs, "--help'") {
				t.Errorf("standard error has %q, want %q in it", errs, tc.want)
			}
		})
	}
}

// With an empty value, as of a variable that is not set, the host used to serve standard input, or
// everybody who did not know the token.
func TestEmptyValuesAreRefused(t *testing.T) {
	for _, flag := range []string{
		"--pipe=", "--socket=", "--token-file=", "--tls-client-ca=", "--metrics=", "--record=",
	} {
		_, errs, status := run(t, "", "serve", "--mount", "web", "--listen", anyHTTP, flag)
		if status != exitUsage || !strings.Contains(errs, "it is empty") {
			t.Errorf("%s: exit status %d, standard error %q", flag, status, errs)
		}
	}
}

func TestWhatIsPrinted(t *testing.T) {
	for _, tc := range []struct{ args, want string }{
		{"", "Available Commands"},
		{"--help", "Available Commands"},
		{"serve --help", "--max-frame SIZE"},
		{"help", "Available Commands"},
		{"help serve", "--max-frame SIZE"},
		{"__complete help ser", "serve"},
		{"call --help", "METHOD [PARAMS] -- CMD ARGS..."},
		{"call --help", "handshake first: plain, polite, curt"},
		{"version", "testhost v1.2.3 go"},
		{"--version", "testhost version v1.2.3"},
		{"completion bash", "testhost"},
		{"__complete serve --li", "--listen"},
	} {
		t.Run(tc.args, func(t *testing.T) {
			out, errs, status := run(t, "", strings.Fields(tc.args)...)
			if status != 0 || !strings.Contains(out, tc.want) {
				t.Errorf("exit status %d: %s%s", status, out, errs)
			}
		})
	}
}
