package mcp

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"triplex/host"
)

// stdioServer is set for a process that is the server of a test.
const stdioServer = "MCP_TEST_STDIO_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(stdioServer) != "" {
		os.Exit(serveStdio())
	}
	goleak.VerifyTestMain(m)
}

// stdio is the standard input and output as a stream.
type stdio struct{}

func (stdio) Read(p []byte) (int, error)  { return os.Stdin.Read(p) }
func (stdio) Write(p []byte) (int, error) { return os.Stdout.Write(p) }
func (stdio) Close() error                { return os.Stdout.Close() }

// serveStdio serves the fixture and returns the exit code.
func serveStdio() int {
	s, err := newHost().Attach(stdio{}, host.PeerInfo{Network: "stdio"})
	if err != nil {
		return 1
	}
	<-s.Done()
	return s.ExitStatus()
}
