package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/host"
)

// account returns next with an account of the messages that pass: counted, timed and recorded as
// those of sessions are. What could begin one more session than there may be does not pass.
func (h *httpSessions) account(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h.keeper.SessionOf(r.Header) == "" && h.full() {
			text := fmt.Sprintf("%d sessions are open (--max-sessions)", h.most)
			http.Error(w, text, http.StatusServiceUnavailable)
			return
		}
		x := &exchange{
			sessions: h, id: h.keeper.SessionOf(r.Header),
			conn:     r.Context().Value(connectionKey{}).(*connection),
			envelope: envelopeOf(h.set.Dialect()), open: map[string]*posted{},
		}
		defer x.finish()
		r = r.WithContext(r.Context()) // a copy, to be changed
		r.Body = &postedBody{ReadCloser: r.Body, x: x}
		next.ServeHTTP(&answerBody{ResponseWriter: w, x: x}, r)
		if r.Method == http.MethodDelete {
			h.endGone()
		}
	})
}

// exchange is one HTTP request and the answer to it.
type exchange struct {
	sessions *httpSessions
	conn     *connection
	id       string // of the session, as far as the request says

	mu       sync.Mutex // guards the fields below: several goroutines may answer
	envelope host.Envelope
	session  *httpSession       // nil before there is a message
	read     []byte             // of the body, as long as it has not been taken
	open     map[string]*posted // the requests without answer, by id
	notes    []*posted          // the notifications
	events   events
	text     []byte // of an answer that is no stream of events
	status   int    // 0 before the answer has begun
	isJSON   bool   // what text is
}

// posted is a request or notification.
type posted struct {
	method string
	began  time.Time
}

// errUnanswered is the outcome of a request whose client has gone, or was refused by HTTP alone.
var errUnanswered = errors.New("there was no answer")

// receive takes the next part of the body; complete says that it is the last.
func (x *exchange) receive(part []byte, complete bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.read = append(x.read, part...)
	if complete {
		x.take()
	}
}

// answer takes the next part of the answer; status and header count for the first one.
func (x *exchange) answer(status int, header http.Header, part []byte) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.status == 0 {
		x.status = status
		x.take()
		x.sessions.name(x.sessions.keeper.SessionOf(header), x.conn)
		switch kind, _, _ := mime.ParseMediaType(header.Get("Content-Type")); kind {
		case "text/event-stream":
			x.events.message = x.sent
		case "application/json":
			x.isJSON = true
		}
	}
	switch {
	case x.events.message != nil:
		x.events.add(part)
	case x.isJSON:
		x.text = append(x.text, part...)
	}
}

// finish accounts for what is left when the answer is complete.
func (x *exchange) finish() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.take()
	if x.isJSON && len(x.text) > 0 {
		x.sent(x.text)
	}
	var failed error
	if x.status >= http.StatusBadRequest {
		failed = errUnanswered
	}
	for _, p := range x.notes {
		x.handled(p, failed)
	}
	for _, p := range x.open {
		x.answered(p, errUnanswered)
	}
}

// take accounts for the body, once. It and the methods below are called with mu held.
func (x *exchange) take() {
	body := x.read
	x.read = nil
	if len(bytes.TrimSpace(body)) == 0 {
		return
	}
	messages, ok := x.decode(body)
	for i := range messages {
		x.begin(&messages[i])
	}
	x.pass(true, body, ok)
}

func (x *exchange) begin(m *host.Message) {
	p, id := &posted{m.Method, time.Now()}, string(m.ID)
	switch {
	case m.Kind == host.KindNotification:
		x.notes = append(x.notes, p)
	case m.Kind == host.KindRequest && x.open[id] == nil: // another one with its id is refused
		x.open[id] = p
		x.of().count(func(st *host.Stats) { st.Requests++; st.InFlight++ })
	}
}

// sent accounts for a message to the client.
func (x *exchange) sent(frame []byte) {
	messages, ok := x.decode(frame)
	for _, m := range messages {
		p := x.open[string(m.ID)]
		if m.Kind == host.KindResponse && p != nil {
			delete(x.open, string(m.ID))
			x.answered(p, outcome(&m))
		}
	}
	x.pass(false, frame, ok)
}

// pass counts and records a frame.
func (x *exchange) pass(incoming bool, frame []byte, message bool) {
	s, n := x.of(), int64(len(frame))
	s.count(func(st *host.Stats) {
		if incoming {
			st.Frames++
			st.BytesIn += n
		} else {
			st.BytesOut += n
		}
	})
	if x.sessions.record.log != nil {
		x.sessions.record.write(s, incoming, frame, message)
	}
}

// answered accounts for the end of a request.
func (x *exchange) answered(p *posted, err error) {
	x.of().count(func(st *host.Stats) { st.InFlight-- })
	x.handled(p, err)
}

func (x *exchange) handled(p *posted, err error) {
	if m := x.sessions.metrics; m != nil {
		m.observe(x.of(), p.method, time.Since(p.began), err)
	}
}

// of returns the session that the exchange belongs to.
func (x *exchange) of() *httpSession {
	if x.session == nil {
		x.session = x.sessions.of(x.id, x.conn)
	}
	return x.session
}

// maxBatch is how many messages a batch may have; no mount takes more.
const maxBatch = 10_000

// decode returns the messages of a frame, and whether it is one of messages.
func (x *exchange) decode(frame []byte) ([]host.Message, bool) {
	elements := []json.RawMessage{frame}
	if bytes.HasPrefix(bytes.TrimLeft(frame, " \t\r\n"), []byte("[")) {
		var err *jsonrpc2.Error
		if elements, err = host.SplitBatch(frame, 0, maxBatch); err != nil {
			return nil, false
		}
	}
	var messages []host.Message
	for _, element := range elements {
		var m host.Message
		if x.envelope.Decode(element, &m) != nil {
			return messages, false
		}
		messages = append(messages, m)
	}
	return messages, true
}

// outcome returns the error of an answer, nil if it is a result.
func outcome(m *host.Message) error {
	if m.Error == nil {
		return nil
	}
	text, _ := host.Member(m.Error, "code")
	code, _ := strconv.ParseInt(string(text), 10, 64)
	return &jsonrpc2.Error{Code: code}
}

// postedBody is the body of a request.
type postedBody struct {
	io.ReadCloser
	x *exchange
}

// Read implements io.Reader.
func (b *postedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.x.receive(p[:n], err == io.EOF)
	return n, err
}

// answerBody is where the answer is written.
type answerBody struct {
	http.ResponseWriter
	x *exchange
}

// WriteHeader implements [http.ResponseWriter].
func (b *answerBody) WriteHeader(status int) {
	b.x.answer(status, b.Header(), nil)
	b.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (b *answerBody) Write(p []byte) (int, error) {
	b.x.answer(http.StatusOK, b.Header(), p)
	return b.ResponseWriter.Write(p)
}

// FlushError is for [http.ResponseController].
func (b *answerBody) FlushError() error {
	b.x.answer(http.StatusOK, b.Header(), nil)
	return http.NewResponseController(b.ResponseWriter).Flush()
}

// Flush implements [http.Flusher]. What it cannot write, the next Write cannot either.
func (b *answerBody) Flush() { _ = b.FlushError() }

// Unwrap is for [http.ResponseController].
func (b *answerBody) Unwrap() http.ResponseWriter { return b.ResponseWriter }
