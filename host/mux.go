package host

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/sourcegraph/jsonrpc2"
)

// Mux is a table of methods, and the [Registrar] that fills it. The zero value is empty. Methods
// are registered before the first session; after that a Mux is safe for concurrent use.
type Mux[S Peer] struct {
	methods map[string]MethodFunc[S]
}

// Register implements [Registrar].
func (m *Mux[S]) Register(method string, f MethodFunc[S]) {
	if m.methods[method] != nil {
		panic(fmt.Sprintf("method %s is registered already", method))
	}
	if m.methods == nil {
		m.methods = map[string]MethodFunc[S]{}
	}
	m.methods[method] = f
}

// Has reports whether method has a handler.
func (m *Mux[S]) Has(method string) bool { return m.methods[method] != nil }

// Methods returns the registered methods in alphabetical order.
func (m *Mux[S]) Methods() []string { return slices.Sorted(maps.Keys(m.methods)) }

// Serve runs the handler of req's method. A method without one is answered -32601.
func (m *Mux[S]) Serve(ctx context.Context, s S, req *jsonrpc2.Request) (any, error) {
	f := m.methods[req.Method]
	if f == nil {
		return nil, MethodNotFound(req.Method)
	}
	return f(ctx, s, req)
}

// MethodNotFound returns the error -32601 for a method that has no handler.
func MethodNotFound(method string) error {
	return &jsonrpc2.Error{
		Code:    jsonrpc2.CodeMethodNotFound,
		Message: fmt.Sprintf("method %q is not known here", method),
	}
}
