package mcp

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"triplex/host"
)

// subscription is one subscriptions/listen (2026-07-28, Subscriptions): what is sent because of it
// bears its id, and the first of that is its acknowledgement.
type subscription struct {
	id           json.RawMessage // as the client wrote it
	acknowledged chan struct{}   // closed when it has been
	acknowledge  func()          // closes that, once
}

const methodAcknowledged = "notifications/subscriptions/acknowledged"

// isSubscribed reports whether a modern client has to listen for a notification to get it.
func isSubscribed(method string) bool {
	return strings.HasSuffix(method, "/list_changed") ||
		method == "notifications/resources/updated" || method == methodAcknowledged
}

func newSubscription(id json.RawMessage) *subscription {
	s := &subscription{id: id, acknowledged: make(chan struct{})}
	s.acknowledge = sync.OnceFunc(func() { close(s.acknowledged) })
	return s
}

// tell sends a notification that the client listens for. What comes before the acknowledgement is
// news from before the client listened.
func (s *subscription) tell(
	ctx context.Context, session *host.Session, m *jsonrpc.Request,
) error {
	if m.Method == methodAcknowledged {
		defer s.acknowledge()
	} else if !s.isAcknowledged() {
		return nil
	}
	return session.Notify(ctx, m.Method, s.tagged(m.Params))
}

func (s *subscription) isAcknowledged() bool {
	select {
	case <-s.acknowledged:
		return true
	default:
		return false
	}
}

// tagged returns an object, params or a result of the server's, with the client's id of the
// subscription in place of the one that the server knows.
func (s *subscription) tagged(object json.RawMessage) json.RawMessage {
	var members, meta map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil {
		return object
	}
	if json.Unmarshal(members["_meta"], &meta) != nil || meta == nil {
		meta = map[string]json.RawMessage{}
	}
	meta[sdk.MetaKeySubscriptionID] = s.id
	if members == nil {
		members = map[string]json.RawMessage{}
	}
	members["_meta"] = encoded(meta)
	return encoded(members)
}

// encoded encodes what consists of valid JSON.
func encoded(members map[string]json.RawMessage) json.RawMessage {
	raw, _ := json.Marshal(members)
	return raw
}
