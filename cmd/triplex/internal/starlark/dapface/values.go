package dapface

import (
	"context"
	"math"
	"strings"
	"unicode/utf8"

	"triplex/cmd/triplex/internal/starlark/debugger"
	"triplex/dap"
)

func (s *session) variables(ctx context.Context, p *dap.VariablesArguments) (
	*dap.VariablesResponseBody, error,
) {
	v, err := s.stoppedProgram()
	if err != nil {
		return nil, err
	}
	page := debugger.Page{Start: dap.Or(p.Start, 0), Count: dap.Or(p.Count, 0)}
	switch dap.Or(p.Filter, "") {
	case dap.VariablesFilterNamed:
		page.Kind = debugger.Named
	case dap.VariablesFilterIndexed:
		page.Kind = debugger.Indexed
	}
	found, err := v.run.Variables(ctx, p.VariablesReference, page)
	if err != nil {
		return nil, err
	}
	res := &dap.VariablesResponseBody{Variables: make([]dap.Variable, len(found))}
	for i, x := range found {
		res.Variables[i] = dap.Variable{
			Name:               x.Name,
			Value:              x.Value,
			Type:               s.typeOf(x),
			EvaluateName:       optional(x.Path),
			VariablesReference: x.Ref,
			NamedVariables:     s.count(x.Named),
			IndexedVariables:   s.count(x.Indexed),
		}
	}
	return res, nil
}

// typeOf returns the type of a value for clients that show it.
func (s *session) typeOf(v debugger.Variable) *string {
	if !dap.Or(s.peer.Client().SupportsVariableType, false) {
		return nil
	}
	return optional(v.Type)
}

// count returns a number of variables for clients that ask for them in pages.
func (s *session) count(n int) *int {
	if n == 0 || !dap.Or(s.peer.Client().SupportsVariablePaging, false) {
		return nil
	}
	return new(min(n, math.MaxInt32)) // the protocol has no more
}

// optional returns a text that is left out if it is empty.
func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func (s *session) setVariable(ctx context.Context, p *dap.SetVariableArguments) (
	*dap.SetVariableResponseBody, error,
) {
	v, err := s.stoppedProgram()
	if err != nil {
		return nil, err
	}
	x, err := v.run.SetVariable(ctx, p.VariablesReference, p.Name, p.Value)
	if err != nil {
		return nil, err
	}
	return &dap.SetVariableResponseBody{
		Value:              x.Value,
		Type:               s.typeOf(x),
		VariablesReference: &x.Ref,
		NamedVariables:     s.count(x.Named),
		IndexedVariables:   s.count(x.Indexed),
	}, nil
}

func (s *session) setExpression(ctx context.Context, p *dap.SetExpressionArguments) (
	*dap.SetExpressionResponseBody, error,
) {
	v, err := s.stoppedProgram()
	if err != nil {
		return nil, err
	}
	x, err := v.run.SetExpression(ctx, dap.Or(p.FrameID, 0), p.Expression, p.Value)
	if err != nil {
		return nil, err
	}
	return &dap.SetExpressionResponseBody{
		Value:              x.Value,
		Type:               s.typeOf(x),
		VariablesReference: &x.Ref,
		NamedVariables:     s.count(x.Named),
		IndexedVariables:   s.count(x.Indexed),
	}, nil
}

// evaluate answers with a value, and shows before that what the code has printed, if it was typed
// by the user: watches are evaluated at each stop. Without a frame it is in the innermost, which
// knows the globals and more.
func (s *session) evaluate(ctx context.Context, p *dap.EvaluateArguments) (
	*dap.EvaluateResponseBody, error,
) {
	v, err := s.stoppedProgram()
	if err != nil {
		return nil, err
	}
	purpose := debugger.Watch
	switch dap.Or(p.Context, "") {
	case dap.EvaluateContextREPL:
		purpose = debugger.Repl
	case dap.EvaluateContextClipboard:
		purpose = debugger.Clipboard
	}
	x, err := v.run.Evaluate(ctx, dap.Or(p.FrameID, 0), p.Expression, purpose)
	if purpose == debugger.Repl {
		s.log(s.peer.Output(ctx, dap.OutputStdout, x.Output))
	}
	if err != nil {
		return nil, err
	}
	return &dap.EvaluateResponseBody{
		Result:             x.Value,
		Type:               s.typeOf(x.Variable),
		VariablesReference: x.Ref,
		NamedVariables:     s.count(x.Named),
		IndexedVariables:   s.count(x.Indexed),
	}, nil
}

func (s *session) completions(ctx context.Context, p *dap.CompletionsArguments) (
	*dap.CompletionsResponseBody, error,
) {
	v, err := s.stoppedProgram()
	if err != nil {
		return nil, err
	}
	places := s.places()
	text := lineOf(p.Text, places.line(dap.Or(p.Line, places.firstLine)))
	cursor := min(max(p.Column-places.firstColumn, 0), toUTF16(text, utf8.RuneCountInString(text)))
	column := fromUTF16(text, cursor) + 1
	found, err := v.run.Complete(ctx, dap.Or(p.FrameID, 0), text, column)
	if err != nil {
		return nil, err
	}
	res := new(dap.CompletionsResponseBody)
	for _, c := range found {
		start := toUTF16(text, c.Start-1)
		length := toUTF16(text, c.Start-1+c.Length) - start
		res.Targets = append(res.Targets, dap.CompletionItem{
			Label:  c.Name,
			Type:   new(itemType(c.Type)),
			Detail: optional(c.Type),
			Start:  new(start + places.firstColumn),
			Length: &length,
		})
	}
	return res, nil
}

// lineOf returns a line of a text, counted from one, empty if there is none.
func lineOf(text string, n int) string {
	for line := range strings.Lines(text) {
		if n--; n == 0 {
			return strings.TrimRight(line, "\r\n")
		}
	}
	return ""
}

// itemType is how a client shows a name whose value has a type.
func itemType(of string) dap.CompletionItemType {
	switch of {
	case "keyword":
		return dap.CompletionItemTypeKeyword
	case "function", "builtin_function_or_method":
		return dap.CompletionItemTypeFunction
	case "module":
		return dap.CompletionItemTypeModule
	}
	return dap.CompletionItemTypeVariable
}
