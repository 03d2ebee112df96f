package host_test

import (
	"path/filepath"
	"testing"

	"triplex/framing"
	"triplex/host"
	"triplex/host/echo"
	"triplex/host/hosttest"
)

// TestTranscripts plays the conversations in testdata with an echo host, in every framing over
// every transport.
func TestTranscripts(t *testing.T) {
	addresses := map[framing.Framing]string{}
	for _, f := range framings {
		h := &host.Host{Mounts: []host.MethodSet{echo.Set{}}, Framing: f}
		_, addresses[f] = listening(t, h)
	}
	transports := []struct {
		name  string
		start func(t *testing.T, f framing.Framing) *hosttest.Peer
	}{
		{"memory", func(t *testing.T, f framing.Framing) *hosttest.Peer {
			h := &host.Host{Mounts: []host.MethodSet{echo.Set{}}, Framing: f}
			return hosttest.Start(t, h, f)
		}},
		{"tcp", func(t *testing.T, f framing.Framing) *hosttest.Peer {
			return dial(t, addresses[f], f)
		}},
		{"stdio", func(t *testing.T, f framing.Framing) *hosttest.Peer {
			return hosttest.NewPeer(t, startChild(t, f), f)
		}},
	}
	for _, transport := range transports {
		for _, f := range framings {
			t.Run(transport.name+" "+f.String(), func(t *testing.T) {
				t.Parallel()
				playAll(t, func(t *testing.T) *hosttest.Peer { return transport.start(t, f) })
			})
		}
	}
}

func playAll(t *testing.T, start func(t *testing.T) *hosttest.Peer) {
	files, err := filepath.Glob("../testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts in testdata: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { hosttest.PlayFile(t, file, start) })
	}
}
