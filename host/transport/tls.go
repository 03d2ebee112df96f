package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"
)

// ServerTLS returns what a server needs to talk TLS with clients that have a certificate of the
// authorities in the file clientCA, or with any client if clientCA is empty. All files are PEM; the
// first of cert is the server's own.
func ServerTLS(cert, key, clientCA string) (*tls.Config, error) {
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("certificate: %w", err)
	}
	config := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	if clientCA != "" {
		config.ClientAuth = tls.RequireAndVerifyClientCert
		config.ClientCAs, err = loadAuthorities(clientCA)
	}
	return config, err
}

// ClientTLS returns what a client needs to talk TLS with a server that has a certificate of the
// authorities in the file ca, or of those the system trusts if ca is empty. The client shows cert.
func ClientTLS(cert, key, ca string) (*tls.Config, error) {
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("certificate: %w", err)
	}
	config := &tls.Config{
		Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12,
	}
	if ca != "" {
		config.RootCAs, err = loadAuthorities(ca)
	}
	return config, err
}

func loadAuthorities(file string) (*x509.CertPool, error) {
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("certificate authority: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("certificate authority: no PEM certificate in %s", file)
	}
	return pool, nil
}

const (
	handshakeTime = 10 * time.Second
	// handshakes bounds those under way, so that strangers cannot pile them up.
	handshakes = 64
)

// tlsListener accepts connections whose handshake is done, so that nobody without a certificate
// costs the host a session. Its goroutines end with Close, which waits for them.
type tlsListener struct {
	net.Listener
	config *tls.Config
	log    *slog.Logger
	slots  chan struct{}
	ready  chan accepted
	ctx    context.Context // ends with Close
	close  func() error
	work   sync.WaitGroup
}

type accepted struct {
	conn net.Conn
	err  error
}

func newTLSListener(ln net.Listener, config *tls.Config, log *slog.Logger) *tlsListener {
	l := &tlsListener{
		Listener: ln, config: config, log: log,
		slots: make(chan struct{}, handshakes), ready: make(chan accepted),
	}
	ctx, cancel := context.WithCancel(context.Background())
	l.ctx = ctx
	l.close = sync.OnceValue(func() error {
		cancel()
		err := ln.Close()
		l.work.Wait()
		return err
	})
	l.work.Go(l.run)
	return l
}

// run accepts connections until the listener is closed.
func (l *tlsListener) run() {
	for {
		select {
		case l.slots <- struct{}{}:
		case <-l.ctx.Done():
			return
		}
		conn, err := l.Listener.Accept()
		if err != nil {
			<-l.slots
			if !l.deliver(accepted{err: err}) {
				return
			}
			continue
		}
		l.work.Go(func() {
			defer func() { <-l.slots }()
			l.handshake(conn)
		})
	}
}

// handshake secures conn and delivers it.
func (l *tlsListener) handshake(conn net.Conn) {
	ctx, cancel := context.WithTimeout(l.ctx, handshakeTime)
	defer cancel()
	secured := tls.Server(conn, l.config)
	if err := secured.HandshakeContext(ctx); err != nil {
		l.log.Warn("connection refused", "peer", conn.RemoteAddr().String(), "error", err)
		conn.Close()
		return
	}
	if !l.deliver(accepted{conn: secured}) {
		conn.Close()
	}
}

// deliver hands a to Accept. It reports false when the listener is closed.
func (l *tlsListener) deliver(a accepted) bool {
	select {
	case l.ready <- a:
		return true
	case <-l.ctx.Done():
		return false
	}
}

// Accept implements net.Listener.
func (l *tlsListener) Accept() (net.Conn, error) {
	select {
	case a := <-l.ready:
		return a.conn, a.err
	case <-l.ctx.Done():
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (l *tlsListener) Close() error { return l.close() }
