package daptest_test

import (
	"context"
	"testing"

	"go.uber.org/goleak"

	"triplex/dap"
	"triplex/dap/daptest"
	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// An adapter is tested with a client of its own: here one that stops as soon as it is launched.
func TestAdapter(t *testing.T) {
	adapter := new(dap.Server)
	dap.Launch.Handle(adapter, func(
		ctx context.Context, s *dap.Session, _ *dap.LaunchRequestArguments,
	) (dap.Empty, error) {
		host.AfterReply(ctx, func() {
			stop := &dap.StoppedEventBody{Reason: dap.StoppedReasonEntry}
			if err := dap.Stopped.Send(s.Core().Context(), s, stop); err != nil {
				t.Error(err)
			}
		})
		return dap.Empty{}, nil
	})
	schema, err := daptest.ReadSchema("../../../shared/schemas/dap-1.71.json")
	if err != nil {
		t.Fatal(err)
	}
	h := &host.Host{Mounts: []host.MethodSet{adapter}}
	c := daptest.NewClient(t, hosttest.Start(t, h, framing.ContentLength), schema)
	c.Send(c.Text("initialize", `{"adapterID":"x"}`), c.Text("launch", "{}"))
	for _, want := range []string{
		"1 initialize ok", "event initialized", "2 launch ok", "event stopped",
	} {
		if m := c.Next(); m.Numbered() != want {
			t.Errorf("got %s, want %s", m.Numbered(), want)
		}
	}
	c.Request("nonsense", "")
	if m := c.Next(); m.OK() || m.String() != "nonsense failed: unsupported command nonsense" {
		t.Errorf("got %v", m)
	}
}
