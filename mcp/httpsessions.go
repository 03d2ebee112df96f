package mcp

import (
	"iter"
	"net/http"
)

// SessionOf returns the id of the session that the headers of a request, or of its answer, belong
// to; it is empty for what stands alone.
func (h *httpHandler) SessionOf(headers http.Header) string { return headers.Get(headerSession) }

// SessionIDs returns the ids of the sessions that are open.
func (h *httpHandler) SessionIDs() iter.Seq[string] {
	return func(yield func(string) bool) {
		for session := range h.set.server.Sessions() {
			if id := session.ID(); id != "" && !yield(id) { // those of hosts have none
				return
			}
		}
	}
}
