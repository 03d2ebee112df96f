// Package transport makes the streams that a host serves: it listens and dials on TCP, on unix
// sockets and with TLS, takes over the sockets of systemd's socket activation, and keeps a
// process's standard input and output for the protocol alone.
//
// # Who may connect
//
// A host executes what it is told, so by default only its own user may talk to it. A TCP address
// that is not loopback is refused unless client certificates are required. On Linux each loopback
// or unix connection is looked up with the kernel, and one that belongs to another user's process
// is closed before a byte of it is read. Unix sockets are made with mode 0600; a socket file that
// was left behind is replaced only if it belongs to the user and nobody answers on it.
package transport
