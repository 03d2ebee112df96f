package dapface

import (
	"testing"

	"go.uber.org/goleak"

	"triplex/cmd/triplex/internal/starlark/terminal"
)

func TestMain(m *testing.M) {
	terminal.MaybeServe()
	maybeServeStdio()
	goleak.VerifyTestMain(m)
}
