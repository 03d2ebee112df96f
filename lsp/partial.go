package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// Partial collects the results of a request that may have many. If the client gave a
// partialResultToken they are on their way as soon as they are added, and the answer itself is
// empty (LSP 3.18, Partial Result Progress); otherwise the answer has them all.
//
//	found := lsp.NewPartial[protocol.Location](s, p.PartialResultToken)
//	for _, file := range files {
//		if err := found.Add(ctx, search(file)...); err != nil {
//			return nil, err
//		}
//	}
//	return found.Rest(), nil
//
// A Partial belongs to one goroutine.
type Partial[T any] struct {
	s     *Session
	token protocol.ProgressToken
	rest  []T
}

// NewPartial returns an empty Partial. The token is that of the request's params, nil if the
// client gave none.
func NewPartial[T any](s *Session, token protocol.ProgressToken) *Partial[T] {
	return &Partial[T]{s: s, token: token, rest: []T{}}
}

// Add adds results. The context is that of the request: nothing may be sent after its answer.
func (p *Partial[T]) Add(ctx context.Context, results ...T) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if p.token == nil {
		p.rest = append(p.rest, results...)
		return nil
	}
	if len(results) == 0 {
		return nil
	}
	value, err := protocol.Marshal(results)
	if err != nil {
		return err
	}
	return Progress.Send(ctx, p.s, &protocol.ProgressParams{Token: p.token, Value: value})
}

// Rest returns the results that have not been sent, which belong into the answer. It is not nil.
func (p *Partial[T]) Rest() []T { return p.rest }
