package mcp

import (
	"context"
	"os"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"triplex/host"
)

// stdioServer is set for a process that is the server of a test: to mountedServer or stockServer.
const (
	stdioServer   = "MCP_TEST_STDIO_SERVER"
	mountedServer = "mounted"
	stockServer   = "stock" // the SDK alone
)

func TestMain(m *testing.M) {
	switch os.Getenv(stdioServer) {
	case mountedServer:
		os.Exit(serveStdio())
	case stockServer:
		newServer(nil).Run(context.Background(), &sdk.StdioTransport{})
		os.Exit(0)
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
