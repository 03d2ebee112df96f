package transport_test

import (
	"strings"
	"testing"

	"triplex/host/transport"
)

func TestParseAddress(t *testing.T) {
	for _, tc := range []struct {
		text string
		want transport.Address
	}{
		{"tcp://127.0.0.1:4389", transport.Address{Network: "tcp", Host: "127.0.0.1", Port: 4389}},
		{"tcp://[::1]:0", transport.Address{Network: "tcp", Host: "::1"}},
		{"tcp://localhost:1", transport.Address{Network: "tcp", Host: "localhost", Port: 1}},
		{"tcp://:65535", transport.Address{Network: "tcp", Port: 65535}},
		{"unix:///a b/c", transport.Address{Network: "unix", Path: "/a b/c"}},
	} {
		t.Run(tc.text, func(t *testing.T) {
			got, err := transport.ParseAddress(tc.text)
			if err != nil || got != tc.want {
				t.Errorf("got %+v, %v; want %+v", got, err, tc.want)
			}
			if got.String() != tc.text {
				t.Errorf("written again it is %q", got)
			}
		})
	}
}

func TestParseAddressOfHTTP(t *testing.T) {
	got, err := transport.ParseAddress("http://localhost:80", "http")
	want := transport.Address{Network: "http", Host: "localhost", Port: 80, Path: "/"}
	if err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	secured, err := transport.ParseAddress("https://[::1]:0/mcp", "http", "https")
	want = transport.Address{Network: "https", Host: "::1", Path: "/mcp"}
	if err != nil || secured != want || secured.String() != "https://[::1]:0/mcp" {
		t.Errorf("got %+v, %v; want %+v", secured, err, want)
	}
	if _, err := transport.ParseAddress("tcp://localhost:80", "http"); err == nil {
		t.Error("a network that is not allowed was accepted")
	}
}

func TestParseAddressSaysWhatIsRight(t *testing.T) {
	for _, tc := range []struct{ text, hint string }{
		{"", "tcp://HOST:PORT or unix:///PATH"},
		{"127.0.0.1:4389", "did you mean tcp://127.0.0.1:4389?"},
		{"/run/x.sock", "did you mean unix:///run/x.sock?"},
		{"4389", "want tcp://HOST:PORT"},
		{"tpc://127.0.0.1:1", `unknown scheme "tpc"`},
		{"http://127.0.0.1:1/mcp", `unknown scheme "http"`},
		{"tcp://127.0.0.1", "missing port"},
		{"tcp://::1:4389", "want HOST:PORT"},
		{"tcp://127.0.0.1:99999", "from 0 to 65535"},
		{"tcp://127.0.0.1:-1", "from 0 to 65535"},
		{"tcp://127.0.0.1:1/x", "from 0 to 65535"},
		{"unix://relative", "want an absolute path"},
	} {
		t.Run(tc.text, func(t *testing.T) {
			_, err := transport.ParseAddress(tc.text)
			if err == nil || !strings.Contains(err.Error(), tc.hint) {
				t.Errorf("got %v; want an error that says %q", err, tc.hint)
			}
		})
	}
}
