package mcp

import (
	"encoding/json"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"triplex/host"
)

// relay replaces the id of a subscription, which is that of the request that made it and differs at
// the two ends of a relay (2026-07-28, Subscriptions).
func relay(m *host.Message, from *host.Session, _ int) json.RawMessage {
	switch {
	case m.Kind == host.KindResponse && m.Method == methodListen:
		return host.Splice(m.Result, m.ID, "_meta", sdk.MetaKeySubscriptionID)
	case m.Kind == host.KindResponse:
		return m.Result
	case m.Method == methodCancelled:
		return retarget(m, from)
	case m.Kind == host.KindNotification:
		return retag(m.Params, from)
	}
	return m.Params
}

// retarget returns the params of a notification that ends a subscription, with the id of its
// request as the client knows it (2026-07-28, Cancellation).
func retarget(m *host.Message, from *host.Session) json.RawMessage {
	if origin, method := from.Origin(cancelTarget(m)); method == methodListen {
		return host.Splice(m.Params, origin, "requestId")
	}
	return m.Params
}

// retag returns the params of a notification with the subscription as the client knows it.
func retag(params json.RawMessage, from *host.Session) json.RawMessage {
	id, ok := host.Member(params, "_meta", sdk.MetaKeySubscriptionID)
	if !ok {
		return params
	}
	origin, _ := from.Origin(id)
	if origin == nil {
		return params
	}
	return host.Splice(params, origin, "_meta", sdk.MetaKeySubscriptionID)
}

// cancelTarget returns the id of the request that m cancels, nil if it cancels none.
func cancelTarget(m *host.Message) json.RawMessage {
	if m.Method != methodCancelled {
		return nil
	}
	id, _ := host.Member(m.Params, "requestId")
	return id
}

// replay is the [host.Replay] of a session: the handshake of the legacy era, and what it set up. In
// the modern era each request stands for itself; its subscriptions end with their server.
type replay struct {
	handshake []*host.Message // initialize and initialized
	level     []*host.Message // the last logging/setLevel
	subscribe []*host.Message // each resources/subscribe that holds
}

// Note implements [host.Replay].
func (r *replay) Note(m *host.Message) {
	switch m.Method {
	case methodInitialize:
		r.handshake = []*host.Message{m}
	case notifications + "initialized":
		r.handshake = append(r.handshake, m)
	case "logging/setLevel":
		r.level = []*host.Message{m}
	case "resources/subscribe":
		r.forget(m)
		r.subscribe = append(r.subscribe, m)
	case "resources/unsubscribe":
		r.forget(m)
	}
}

// forget drops the subscription to the resource that m names.
func (r *replay) forget(m *host.Message) {
	uri, _ := host.Member(m.Params, "uri")
	r.subscribe = slices.DeleteFunc(r.subscribe, func(made *host.Message) bool {
		other, _ := host.Member(made.Params, "uri")
		return key(other) == key(uri)
	})
}

// Messages implements [host.Replay].
func (r *replay) Messages() []*host.Message {
	return slices.Concat(r.handshake, r.level, r.subscribe)
}
