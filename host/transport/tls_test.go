package transport_test

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"testing"

	"triplex/host/internal/certtest"
	"triplex/host/transport"
)

// secured returns a listener with TLS, and the authority for its clients.
func secured(t *testing.T) (*transport.Listener, *certtest.Authority) {
	t.Helper()
	authority := certtest.New(t)
	cert, key := authority.Issue()
	config, err := transport.ServerTLS(cert, key, authority.File)
	if err != nil {
		t.Fatal(err)
	}
	return listen(t, &transport.Config{TLS: config}, "tcp://127.0.0.1:0")[0], authority
}

func clientConfig(t *testing.T, signer, trusted *certtest.Authority) *tls.Config {
	t.Helper()
	cert, key := signer.Issue()
	config, err := transport.ClientTLS(cert, key, trusted.File)
	if err != nil {
		t.Fatal(err)
	}
	return config
}

func TestClientsWithACertificateAreLetIn(t *testing.T) {
	ln, authority := secured(t)
	config := clientConfig(t, authority, authority)
	got := exchange(t, ln, func() (net.Conn, error) {
		return transport.Dial(t.Context(), ln.Address, config)
	})
	if got != "hello" {
		t.Errorf("read %q", got)
	}
}

// Strangers must not even be accepted: an accepted connection costs a session.
func TestStrangersAreNotAccepted(t *testing.T) {
	ln, authority := secured(t)
	stranger := certtest.New(t)
	for _, tc := range []struct {
		name string
		dial func() (net.Conn, error)
	}{
		{"without TLS", func() (net.Conn, error) {
			return transport.Dial(t.Context(), ln.Address, nil)
		}},
		{"without a certificate", func() (net.Conn, error) {
			config := clientConfig(t, authority, authority)
			config.Certificates = nil
			return transport.Dial(t.Context(), ln.Address, config)
		}},
		{"with somebody else's certificate", func() (net.Conn, error) {
			return transport.Dial(t.Context(), ln.Address, clientConfig(t, stranger, authority))
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			conn, err := tc.dial()
			if err != nil {
				return
			}
			defer conn.Close()
			conn.Write([]byte(`{"jsonrpc":"2.0","id":1,"method":"echo"}` + "\n"))
			io.Copy(io.Discard, conn) // until the server closes it
		})
	}
	// The next to be accepted is the next with a certificate.
	config := clientConfig(t, authority, authority)
	dialled := make(chan net.Conn, 1)
	go func() {
		conn, _ := transport.Dial(t.Context(), ln.Address, config)
		dialled <- conn
	}()
	conn, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	client := <-dialled
	defer client.Close()
	if got, want := conn.RemoteAddr().String(), client.LocalAddr().String(); got != want {
		t.Errorf("accepted %s, want %s", got, want)
	}
}

func TestASlowHandshakeHoldsUpNobody(t *testing.T) {
	ln, authority := secured(t)
	slow, err := transport.Dial(t.Context(), ln.Address, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	config := clientConfig(t, authority, authority)
	exchange(t, ln, func() (net.Conn, error) {
		return transport.Dial(t.Context(), ln.Address, config)
	})
	ln.Close() // with a handshake under way; goleak sees whether something of it is left
	if _, err := ln.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("after Close, Accept gives %v", err)
	}
}

func TestTLSFiles(t *testing.T) {
	authority := certtest.New(t)
	cert, key := authority.Issue()
	for _, tc := range []struct{ name, cert, key, ca string }{
		{"no certificate", "missing", key, authority.File},
		{"no key", cert, "missing", authority.File},
		{"no authority", cert, key, "missing"},
		{"a key for an authority", cert, key, key},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := transport.ServerTLS(tc.cert, tc.key, tc.ca); err == nil {
				t.Error("a server takes it")
			}
			if _, err := transport.ClientTLS(tc.cert, tc.key, tc.ca); err == nil {
				t.Error("a client takes it")
			}
		})
	}
}
