package lsp

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.lsp.dev/protocol"

	"triplex/host"
)

// Register registers a capability while the session goes on, and returns the id to take it back
// with. The method is that of a registration, such as workspace/didChangeWatchedFiles; the
// options are what the protocol defines for it, nil for none (LSP 3.18, client/registerCapability).
//
// It fails before the client's initialized notification, and for what the server has announced in
// the answer to initialize. If the client does not register that method dynamically, the error is
// [errors.ErrUnsupported] and nothing is sent.
func (s *Session) Register(
	ctx context.Context, method string, options any,
) (id string, err error) {
	r := protocol.Registration{Method: method}
	if options != nil {
		if r.RegisterOptions, err = protocol.Marshal(options); err != nil {
			return "", fmt.Errorf("register %s: %w", method, err)
		}
	}
	if r.ID, err = s.admit(method); err != nil {
		return "", fmt.Errorf("register %s: %w", method, err)
	}
	p := &protocol.RegistrationParams{Registrations: []protocol.Registration{r}}
	if _, err := RegisterCapability.Call(ctx, s, p); err != nil {
		s.forgetRegistration(r.ID)
		return "", fmt.Errorf("register %s: %w", method, err)
	}
	return r.ID, nil
}

// Unregister takes back what [Session.Register] registered under id.
func (s *Session) Unregister(ctx context.Context, id string) error {
	method := s.forgetRegistration(id)
	if method == "" {
		return fmt.Errorf("nothing is registered under the id %q", id)
	}
	_, err := UnregisterCapability.Call(ctx, s, &protocol.UnregistrationParams{
		Unregisterations: []protocol.Unregistration{{ID: id, Method: method}},
	})
	return err
}

// admit returns the id of a new registration, if there may be one.
func (s *Session) admit(method string) (id string, err error) {
	if !s.initialized.Load() {
		return "", errors.New("the client has not sent initialized yet")
	}
	at, ok := registrable[method]
	if !ok {
		return "", errors.New("the protocol has no registration of this name")
	}
	client, err := protocol.Marshal(s.ClientCapabilities())
	if err != nil {
		return "", err
	}
	if able, _ := host.Member(client, strings.Split(at.client, ".")...); string(able) != "true" {
		return "", fmt.Errorf("%w: the client has not announced %s", errors.ErrUnsupported, at.client)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if at.server != "" {
		path := strings.Split(at.server, ".")
		if _, static := host.Member(s.announced, path...); static {
			return "", fmt.Errorf("%s was announced in the answer to initialize", at.server)
		}
	}
	if s.registrations == nil {
		s.registrations = map[string]string{}
	}
	id = "registration-" + strconv.Itoa(s.nextID())
	s.registrations[id] = method
	return id, nil
}

// forgetRegistration returns the method registered under id, and forgets it.
func (s *Session) forgetRegistration(id string) (method string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	method = s.registrations[id]
	delete(s.registrations, id)
	return method
}

// announce notes what the client is told the server can do.
func (s *Session) announce(c *protocol.ServerCapabilities) error {
	raw, err := protocol.Marshal(c)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.announced = raw
	return err
}
