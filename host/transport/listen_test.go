package transport_test

import (
	"crypto/tls"
	"errors"
	"net"
	"strings"
	"syscall"
	"testing"

	"triplex/host/transport"
)

// listen listens on an address until the test ends.
func listen(t *testing.T, c *transport.Config, text string) []*transport.Listener {
	t.Helper()
	lns, err := c.Listen(t.Context(), parse(t, text))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, ln := range lns {
			ln.Close()
		}
	})
	return lns
}

func parse(t *testing.T, text string) transport.Address {
	t.Helper()
	a, err := transport.ParseAddress(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// exchange accepts the connection that dial makes, sends a word to it and returns what arrived.
func exchange(t *testing.T, ln net.Listener, dial func() (net.Conn, error)) string {
	t.Helper()
	client, err := dial()
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	server, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	if _, err := server.Write([]byte("hello")); err != nil {
		t.Fatal(err)
	}
	word := make([]byte, 5)
	if _, err := client.Read(word); err != nil {
		t.Fatal(err)
	}
	return string(word)
}

func TestListenersAreReached(t *testing.T) {
	for _, text := range []string{
		"tcp://127.0.0.1:0", "tcp://[::1]:0", "tcp://localhost:0", "unix://" + t.TempDir() + "/s",
	} {
		t.Run(text, func(t *testing.T) {
			lns, err := new(transport.Config).Listen(t.Context(), parse(t, text))
			if errors.Is(err, syscall.EADDRNOTAVAIL) {
				t.Skip("this machine has no IPv6")
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, ln := range lns {
				defer ln.Close()
				got := exchange(t, ln, func() (net.Conn, error) {
					return transport.Dial(t.Context(), ln.Address, nil)
				})
				if got != "hello" {
					t.Errorf("%s: read %q", ln.Address, got)
				}
			}
		})
	}
}

func TestLocalhostListensOnOnePort(t *testing.T) {
	lns := listen(t, new(transport.Config), "tcp://localhost:0")
	for _, ln := range lns {
		if ln.Address.Port == 0 || ln.Address.Port != lns[0].Address.Port {
			t.Errorf("the ports are %d and %d", lns[0].Address.Port, ln.Address.Port)
		}
		if !ln.Addr().(*net.TCPAddr).IP.IsLoopback() {
			t.Errorf("%s is no loopback address", ln.Addr())
		}
	}
}

func TestAddressesOthersCanReachAreRefused(t *testing.T) {
	const advice = "--tls-client-ca"
	for _, tc := range []struct {
		name, text string
		config     *tls.Config
	}{
		{"any IPv4", "tcp://0.0.0.0:0", nil},
		{"any IPv6", "tcp://[::]:0", nil},
		{"no host", "tcp://:0", nil},
		{"another network", "tcp://192.0.2.1:0", nil},
		{"TLS for anybody", "tcp://0.0.0.0:0", &tls.Config{}},
		{"TLS that only asks", "tcp://127.0.0.1:0", &tls.Config{ClientAuth: tls.RequestClientCert}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := transport.Config{TLS: tc.config}
			lns, err := c.Listen(t.Context(), parse(t, tc.text))
			if err == nil {
				lns[0].Close()
				t.Fatal("it listens")
			}
			if !strings.Contains(err.Error(), advice) {
				t.Errorf("the error %q does not say %s", err, advice)
			}
		})
	}
}

// Certificates of clients say who may use a host, but what speaks HTTP asks for a secret besides.
func TestHTTPAddressesOthersCanReachAreRefused(t *testing.T) {
	certificates := &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert}
	for _, network := range []string{"http", "https"} {
		c := transport.Config{TLS: certificates}
		lns, err := c.Listen(t.Context(), transport.Address{Network: network, Host: "0.0.0.0"})
		if err == nil {
			lns[0].Close()
		}
		if !errors.Is(err, transport.ErrReachable) {
			t.Errorf("%s: %v", network, err)
		}
	}
}

func TestAllowRemoteListensEverywhere(t *testing.T) {
	listen(t, &transport.Config{AllowRemote: true}, "tcp://0.0.0.0:0")
}
