package lsp

import (
	"go.lsp.dev/protocol"

	"triplex/framing"
	"triplex/host"
)

// Dialect is the language server protocol as a session of the host speaks it, whichever method
// set it is for: its codec, its life cycle and its cancellation.
var Dialect = &host.Dialect{
	Name:         "lsp",
	Framing:      framing.ContentLength,
	NewLifecycle: func() host.Lifecycle { return new(lifecycle) },
	Marshal:      protocol.Marshal,
	Unmarshal:    Unmarshal,
	Claims:       claims,
	Lane:         lane,
	CancelCall:   host.CancelRequest,
	CancelTarget: host.CancelTarget,
	Relay:        relay,
	NewReplay:    func() host.Replay { return new(replay) },
	Handshake:    host.Handshake{Open: openSession, Close: closeSession},
	Log:          logging,
}

// claims takes every initialize request but that of MCP, which names its protocolVersion.
func claims(m *host.Message) host.Claim {
	if m.Kind != host.KindRequest || m.Method != protocol.MethodInitialize {
		return host.NoClaim
	}
	if _, mcp := host.Member(m.Params, "protocolVersion"); mcp {
		return host.NoClaim
	}
	return host.UsualClaim
}

// lane keeps notifications in order. The one that cancels progress must not wait behind the
// handler whose progress it cancels.
func lane(m *host.Message) host.Lane {
	switch {
	case m.Kind != host.KindNotification:
		return host.Concurrent
	case m.Method == protocol.MethodWindowWorkDoneProgressCancel:
		return host.Immediate
	}
	return host.Ordered
}
