package dapface

import (
	"testing"

	"go.uber.org/goleak"

	"triplex/cmd/triplex/internal/starlark/runs"
	"triplex/cmd/triplex/internal/starlark/terminal"
	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/host"
	"triplex/host/hosttest"
)

func TestMain(m *testing.M) {
	terminal.MaybeServe()
	hosttest.ServeChild(func() *host.Host {
		return &host.Host{Mounts: []host.MethodSet{New(workspace.New(), new(runs.Registry))}}
	})
	goleak.VerifyTestMain(m)
}
