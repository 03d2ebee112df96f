package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/sourcegraph/jsonrpc2"

	"triplex/host"
)

// httpEnvelope is that of messages in HTTP bodies. The server takes no deeper ones.
var httpEnvelope = host.JSONRPC{Depth: 1000, OmitNullID: true}

// inspect decodes what was posted, and says what is wrong with a message that the server would take
// for another, or not answer in JSON-RPC. Of a batch, m stays empty.
func inspect(body []byte, m *host.Message) *jsonrpc2.Error {
	if bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")) {
		return inspectBatch(body)
	}
	return inspectMessage(body, m)
}

func inspectMessage(body []byte, m *host.Message) *jsonrpc2.Error {
	if err := httpEnvelope.Decode(body, m); err != nil {
		return err
	}
	if m.Kind != host.KindRequest {
		return nil
	}
	if !isExactID(m.ID) {
		return refusal(jsonrpc2.CodeInvalidRequest,
			"an id is a string, or an integer of at most 53 bits, not %.40s", m.ID)
	}
	switch m.Method {
	case methodInitialize:
		if json.Unmarshal(m.Params, new(sdk.InitializeParams)) != nil {
			return refusal(jsonrpc2.CodeInvalidParams, "the params of initialize cannot be read")
		}
	case methodDiscover, methodListen:
		if !isModern(m.Params) {
			return unversioned(m.Method)
		}
	}
	return nil
}

// maxBatch is how many messages a batch may have, as on the sessions of a host by default.
const maxBatch = 10_000

// inspectBatch does so for a batch. The server takes it as a whole or not at all.
func inspectBatch(body []byte) *jsonrpc2.Error {
	elements, err := host.SplitBatch(body, httpEnvelope.Depth, maxBatch)
	if err != nil {
		return err
	}
	ids := make(map[string]bool)
	for i, element := range elements {
		var m host.Message
		err := inspectMessage(element, &m)
		switch id := key(m.ID); {
		case err != nil:
		case m.Method == methodInitialize:
			err = refusal(jsonrpc2.CodeInvalidRequest, "initialize cannot be part of a batch")
		case m.Kind == host.KindRequest && ids[id]:
			err = refusal(jsonrpc2.CodeInvalidRequest, "id %.80s is in use by another of its requests", id)
		case m.Kind == host.KindRequest:
			ids[id] = true
		}
		if err != nil {
			err.Message = fmt.Sprintf("message %d of the batch: %s", i+1, err.Message)
			return err
		}
	}
	return nil
}

// isExactID reports whether an id comes back from the server as it was: all its numbers are floats.
func isExactID(id json.RawMessage) bool {
	const most = 1 << 53
	if !isRequestID(id) || id[0] == '"' {
		return isRequestID(id)
	}
	n, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil && -most <= n && n <= most && string(id) != "-0"
}

// takesOnlyJSON reports whether a client takes JSON and no events, as scripts do.
func takesOnlyJSON(h http.Header) bool {
	accept := strings.ToLower(strings.Join(h.Values("Accept"), ","))
	return strings.Contains(accept, "application/json") && !strings.Contains(accept, "text/") &&
		!strings.Contains(accept, "*/*")
}

func writeRefusal(w http.ResponseWriter, id json.RawMessage, refused *jsonrpc2.Error) {
	raw, _ := json.Marshal(refused) // without data, an error is always marshaled
	answer := &host.Message{Kind: host.KindResponse, ID: id, Error: raw}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	w.Write(httpEnvelope.Append(nil, answer)) // a client that has gone needs no answer
}

// answerWriter is where the answer to a message is written. What the server refuses in plain text
// is refused in JSON-RPC: clients look for the error there.
type answerWriter struct {
	http.ResponseWriter
	m     *host.Message // empty for a batch
	plain bool          // a refusal in plain text follows
}

// WriteHeader implements [http.ResponseWriter].
func (w *answerWriter) WriteHeader(status int) {
	w.plain = status == http.StatusBadRequest &&
		strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain")
	if !w.plain {
		w.ResponseWriter.WriteHeader(status)
	}
}

// Write implements [http.ResponseWriter]. A notification that the server does not know is ignored,
// as it is everywhere else.
func (w *answerWriter) Write(p []byte) (int, error) {
	unknown := bytes.HasPrefix(p, []byte("JSON RPC not handled"))
	switch {
	case !w.plain:
		return w.ResponseWriter.Write(p)
	case unknown && w.m.Kind == host.KindNotification:
		w.Header().Del("Content-Type")
		w.ResponseWriter.WriteHeader(http.StatusAccepted)
	case unknown && w.m.Kind == host.KindRequest:
		writeRefusal(w.ResponseWriter, w.m.ID,
			refusal(jsonrpc2.CodeMethodNotFound, "method not found: %q", w.m.Method))
	default:
		writeRefusal(w.ResponseWriter, w.m.ID,
			refusal(jsonrpc2.CodeInvalidRequest, "%s", bytes.TrimSpace(p)))
	}
	return len(p), nil
}

// Unwrap is for [http.ResponseController].
func (w *answerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
