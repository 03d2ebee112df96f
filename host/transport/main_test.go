package transport_test

import (
	"fmt"
	"io"
	"net"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// roles are what the test binary can be run as, by the value of roleVariable.
var roles = map[string]func() error{
	"dial":      dialRole,
	"activated": activatedRole,
	"stdio":     stdioRole,
}

const (
	roleVariable = "TRANSPORT_TEST_ROLE"
	// raceQuick spares processes under the race detector the second they wait at exit.
	raceQuick = "GORACE=atexit_sleep_ms=0"
)

// nobody is a user who does not run the tests.
const nobody = 65534

func TestMain(m *testing.M) {
	if role, ok := roles[os.Getenv(roleVariable)]; ok {
		if err := role(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// dialRole connects to the network and address in its arguments and copies what it reads.
func dialRole() error {
	conn, err := net.Dial(os.Args[1], os.Args[2])
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = io.Copy(os.Stdout, conn)
	return err
}
