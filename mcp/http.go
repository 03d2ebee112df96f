package mcp

import (
	"bytes"
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
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
// a legacy request of a client that is in a hurry, such as curl. It refuses what a web page could
// have sent: requests from other origins, and requests to a loopback address under another name.
//
// The handler has a method Drain too, for [http.Server.RegisterOnShutdown]: it ends the streams on
// which clients wait for news, as they would not end by themselves. And it is an [io.Closer]: Close
// ends its sessions. That is for the time after the last request, since it stops none from coming.
func (s *Set) HTTPHandler() http.Handler {
	server := func(*http.Request) *sdk.Server { return s.server }
	options := sdk.StreamableHTTPOptions{
		Logger:              s.options.Logger,
		SessionTimeout:      s.options.SessionTimeout,
		MaxRequestBodyBytes: s.options.MaxBody,
	}
	options.EventStore = sdk.NewMemoryEventStore(nil) // of bounded size
	h := &httpHandler{set: s, sessions: sdk.NewStreamableHTTPHandler(server, &options)}
	options.EventStore = nil // who stands alone has nothing to come back to
	options.Stateless, options.PropagateRequestCancellation = true, true
	h.requests = sdk.NewStreamableHTTPHandler(server, &options)
	h.open, h.drain = context.WithCancel(context.Background())
	h.Handler = http.NewCrossOriginProtection().Handler(http.HandlerFunc(h.serve))
	if token := s.options.Token; token != "" {
		h.Handler = requireToken(token)(h.Handler)
	}
	return h
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
	sessions http.Handler // legacy sessions
	requests http.Handler // requests that stand alone

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
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, h.set.options.MaxBody))
	if err != nil {
		status := http.StatusBadRequest
		if errors.As(err, new(*http.MaxBytesError)) {
			status = http.StatusRequestEntityTooLarge
		}
		http.Error(w, err.Error(), status)
		return
	}
	var m host.Message
	if refused := inspect(body, &m); refused != nil {
		writeRefusal(w, &m, refused)
		return
	}
	if m.Kind == host.KindRequest {
		w = &answerWriter{ResponseWriter: w, m: &m}
	}
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
	default:
		h.requests.ServeHTTP(w, r)
	}
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

// httpEnvelope is that of messages in HTTP bodies. The server takes no deeper ones.
var httpEnvelope = host.JSONRPC{Depth: 1000, OmitNullID: true}

// inspect decodes a message, and says what is wrong with one that the server would take for
// another, or not answer in JSON-RPC. A batch is left to the server.
func inspect(body []byte, m *host.Message) *jsonrpc2.Error {
	if bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")) {
		return nil
	}
	if err := httpEnvelope.Decode(body, m); err != nil {
		return err
	}
	if m.Kind != host.KindRequest {
		return nil
	}
	if !isExactID(m.ID) {
		return refusal(jsonrpc2.CodeInvalidRequest,
			"an id is a string, or an integer of at most 15 digits, not %.40s", m.ID)
	}
	if m.Method == methodInitialize && json.Unmarshal(m.Params, new(sdk.InitializeParams)) != nil {
		return refusal(jsonrpc2.CodeInvalidParams, "the params of initialize cannot be read")
	}
	return nil
}

// isExactID reports whether an id comes back from the server as it was: all its numbers are floats.
func isExactID(id []byte) bool {
	const digits = 15
	return isRequestID(id) && (id[0] == '"' || len(bytes.TrimPrefix(id, []byte("-"))) <= digits)
}

func writeRefusal(w http.ResponseWriter, m *host.Message, refused *jsonrpc2.Error) {
	raw, _ := json.Marshal(refused) // without data, an error is always marshaled
	answer := &host.Message{Kind: host.KindResponse, ID: m.ID, Error: raw}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	w.Write(httpEnvelope.Append(nil, answer)) // a client that has gone needs no answer
}

// answerWriter is where the answer to a request is written. If the server refuses the request in
// plain text, it is refused in JSON-RPC: clients look for the error there.
type answerWriter struct {
	http.ResponseWriter
	m     *host.Message
	plain bool // a refusal in plain text follows
}

// WriteHeader implements [http.ResponseWriter].
func (w *answerWriter) WriteHeader(status int) {
	w.plain = status == http.StatusBadRequest &&
		strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain")
	if !w.plain {
		w.ResponseWriter.WriteHeader(status)
	}
}

// Write implements [http.ResponseWriter].
func (w *answerWriter) Write(p []byte) (int, error) {
	if !w.plain {
		return w.ResponseWriter.Write(p)
	}
	refused := refusal(jsonrpc2.CodeInvalidRequest, "%s", bytes.TrimSpace(p))
	if bytes.HasPrefix(p, []byte("JSON RPC not handled")) {
		refused = refusal(jsonrpc2.CodeMethodNotFound, "method not found: %q", w.m.Method)
	}
	writeRefusal(w.ResponseWriter, w.m, refused)
	return len(p), nil
}

// Unwrap is for [http.ResponseController].
func (w *answerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

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
