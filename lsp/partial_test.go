package lsp

import (
	"context"
	"errors"
	"testing"

	"go.lsp.dev/protocol"
)

var list = Request[*protocol.PartialResultParams, []int]{Method: "test/list"}

func TestP4PartialResults(t *testing.T) {
	tests := []struct {
		name   string
		params string
		want   []string
	}{
		{"with a token", `{"partialResultToken":"t"}`, []string{
			notification("$/progress", `{"token":"t","value":[1,2]}`),
			notification("$/progress", `{"token":"t","value":[3]}`),
			result("1", "[]"),
		}},
		{"with a number", `{"partialResultToken":0}`, []string{
			notification("$/progress", `{"token":0,"value":[1,2]}`),
			notification("$/progress", `{"token":0,"value":[3]}`),
			result("1", "[]"),
		}},
		{"without a token", `{}`, []string{result("1", "[1,2,3]")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv := &Server{}
			list.Handle(srv, func(
				ctx context.Context, s *Session, p *protocol.PartialResultParams,
			) ([]int, error) {
				found := NewPartial[int](s, p.PartialResultToken)
				err := errors.Join(found.Add(ctx, 1, 2), found.Add(ctx), found.Add(ctx, 3))
				return found.Rest(), err
			})
			p, _ := greet(t, srv, "{}")
			p.Send(request("1", "test/list", tt.params))
			for _, want := range tt.want {
				p.Expect(want)
			}
		})
	}
}

func TestP4NothingIsAddedAfterTheAnswer(t *testing.T) {
	type late struct {
		ctx   context.Context
		found *Partial[int]
	}
	kept := make(chan late, 1)
	srv := &Server{}
	list.Handle(srv, func(
		ctx context.Context, s *Session, p *protocol.PartialResultParams,
	) ([]int, error) {
		found := NewPartial[int](s, p.PartialResultToken)
		kept <- late{ctx, found}
		return found.Rest(), nil
	})
	p, _ := greet(t, srv, "{}")
	p.Send(request("1", "test/list", `{"partialResultToken":"t"}`))
	p.Expect(result("1", "[]"))
	l := <-kept
	<-l.ctx.Done()
	if err := l.found.Add(l.ctx, 1); err == nil {
		t.Error("a result was added after the answer")
	}
	settle(t, p)
}
