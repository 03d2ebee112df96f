package hosttest_test

import (
	"testing"

	"triplex/framing"
	"triplex/host/hosttest"
)

func TestChild(t *testing.T) {
	c := hosttest.Spawn(t, framing.ContentLength)
	c.Send(`{"jsonrpc":"2.0","id":1,"method":"echo","params":["hi"]}`)
	c.Expect(`{"jsonrpc":"2.0","id":1,"result":["hi"]}`)
	c.CloseWrite()
	if status, stderr := c.Wait(); status != 0 || stderr != "" {
		t.Errorf("exit status %d, said %q", status, stderr)
	}
}
