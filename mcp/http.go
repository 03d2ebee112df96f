package mcp

import (
	"bytes"
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/sourcegraph/jsonrpc2"

	"triplex/host"
)

// HTTP headers of the streamable transport (2025-11-25, Transports).
const (
	headerSession = "Mcp-Session-Id"
	headerVersion = "Mcp-Protocol-Version"
)

// HTTPHandler returns a handler that serves the same server over Streamable HTTP, in both eras: a
// POST of initialize begins a session, one without a session stands alone, whether it is modern or
// a legacy request of a client that is in a hurry, such as curl. The answer to one that stands
// alone is JSON if its client accepts nothing else, and a stream of events otherwise. The handler
// refuses what a web page could have sent: requests from other origins, and requests to a loopback
// address under another name.
//
// Of the limits, Frame bounds the body of a request, and CallTimeout how long the client of a
// session may take to answer a question of the server. For that HTTPHandler adds middleware to the
// server; it is to be called once.
//
// The handler has a method Drain too, for [http.Server.RegisterOnShutdown]: it ends the streams on
// which clients wait for news, as they would not end by themselves. And it is an [io.Closer]: Close
// ends its sessions. That is for the time after the last request, since it stops none from coming.
func (s *Set) HTTPHandler(limits host.Limits) http.Handler {
	limits = limits.WithDefaults()
	s.server.AddSendingMiddleware(askWithin(limits.CallTimeout))
	server := func(*http.Request) *sdk.Server { return s.server }
	options := sdk.StreamableHTTPOptions{
		Logger:              s.options.Logger,
		SessionTimeout:      s.options.SessionTimeout,
		MaxRequestBodyBytes: -1, // serve sees to that
	}
	options.EventStore = sdk.NewMemoryEventStore(nil) // of bounded size
	h := &httpHandler{set: s, maxBody: int64(limits.Frame)}
	h.sessions = sdk.NewStreamableHTTPHandler(server, &options)
	options.EventStore = nil // who stands alone has nothing to come back to
	options.Stateless, options.PropagateRequestCancellation = true, true
	h.requests = sdk.NewStreamableHTTPHandler(server, &options)
	options.JSONResponse = true
	h.plain = sdk.NewStreamableHTTPHandler(server, &options)
	h.open, h.drain = context.WithCancel(context.Background())
	h.Handler = sameOrigin(http.HandlerFunc(h.serve))
	if token := s.options.Token; token != "" {
		h.Handler = requireToken(token)(h.Handler)
	}
	return h
}

// sameOrigin lets no requests in that a page of another origin has made. To read is no safe thing
// here: it is how a client hears of all that happens in its session.
func sameOrigin(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked := r.WithContext(r.Context())
		asked.Method = http.MethodPost // other methods are let through
		if err := protection.Check(asked); err != nil {
			http.Error(w, err.Error(), http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// requireToken returns middleware that lets only those in who know the token.
func requireToken(token string) func(http.Handler) http.Handler {
	verify := func(_ context.Context, given string, _ *http.Request) (*auth.TokenInfo, error) {
		if subtle.ConstantTimeCompare([]byte(given), []byte(token)) != 1 {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{}, nil
	}
	return auth.RequireBearerToken(verify, &auth.RequireBearerTokenOptions{
		AllowMissingExpiration: true,
	})
}

// httpHandler serves HTTP clients.
type httpHandler struct {
	http.Handler
	set      *Set
	maxBody  int64        // bytes
	sessions http.Handler // legacy sessions
	requests http.Handler // requests that stand alone
	plain    http.Handler // those of clients that want JSON instead of events

	open  context.Context // ends with Drain
	drain context.CancelFunc
}

// serve hands a request to whom it is for.
func (h *httpHandler) serve(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodPost:
	case http.MethodGet:
		h.listen(h.sessions, w, r)
		return
	case http.MethodDelete:
		h.set.running.end(r.Header.Get(headerSession))
		h.sessions.ServeHTTP(w, r)
		return
	default:
		h.sessions.ServeHTTP(w, r)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, h.maxBody))
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		text := fmt.Sprintf("the body has more than %d bytes (--max-frame)", h.maxBody)
		http.Error(w, text, http.StatusRequestEntityTooLarge)
		return
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var m host.Message
	refused := inspect(body, &m)
	if refused == nil && m.Kind == host.KindInvalid && !h.acceptsBatch(r.Header) {
		refused = refusal(jsonrpc2.CodeInvalidRequest, "batches are not part of this protocol")
	}
	if refused != nil {
		writeRefusal(w, m.ID, refused)
		return
	}
	w = &answerWriter{ResponseWriter: w, m: &m}
	if m.Kind == host.KindRequest && m.Params == nil {
		m.Params = json.RawMessage("{}") // the server's word for missing params is no JSON-RPC
		body = httpEnvelope.Append(nil, &m)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	begins := m.Method == methodInitialize && r.Header.Get(headerVersion) < modernEra
	switch {
	case begins, r.Header.Get(headerSession) != "":
		h.sessions.ServeHTTP(w, r)
	case m.Method == methodListen:
		h.listen(h.requests, w, r)
	case takesOnlyJSON(r.Header):
		r.Header.Set("Accept", "application/json, text/event-stream") // the server wants both
		h.plain.ServeHTTP(w, standing(r))
	default:
		h.requests.ServeHTTP(w, standing(r))
	}
}

// acceptsBatch reports whether what has these headers may be a batch, which is a matter of the
// version. What names none is of the one that has batches (2025-06-18, Transports, protocol version
// header), unless its session has settled on another.
func (h *httpHandler) acceptsBatch(headers http.Header) bool {
	version, id := headers.Get(headerVersion), headers.Get(headerSession)
	for session := range h.set.server.Sessions() {
		if p := session.InitializeParams(); id != "" && session.ID() == id && p != nil {
			version = p.ProtocolVersion
		}
	}
	return version == "" || version == batchVersion
}

// listen serves a client that waits for news, until it goes or Drain is called.
func (h *httpHandler) listen(next http.Handler, w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(h.open, cancel)()
	next.ServeHTTP(w, r.WithContext(ctx))
}

// Drain ends what clients listen to, now and from now on.
func (h *httpHandler) Drain() { h.drain() }

// Close implements io.Closer. Tools that do not end are left alone after a second.
func (h *httpHandler) Close() error {
	var closing sync.WaitGroup
	for session := range h.set.server.Sessions() {
		if session.ID() != "" { // those of hosts have none
			h.set.running.end(session.ID())
			closing.Go(func() { session.Close() })
		}
	}
	if !ends(closing.Wait) {
		return errors.New("tools go on that HTTP clients have called")
	}
	return nil
}
