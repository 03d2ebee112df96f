package mcpface

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/debugger"
)

type evalIn struct {
	Expression string `json:"expression" jsonschema:"the expression to evaluate"`
	File       string `json:"file,omitempty" jsonschema:"is run first for its globals"`
	Limits
}

type evalOut struct {
	Outcome
	Value  string `json:"value,omitempty" jsonschema:"as Starlark writes it, shortened"`
	Type   string `json:"type,omitempty"`
	Output string `json:"output,omitempty" jsonschema:"what was printed meanwhile"`
}

// maxExpression is how many bytes an expression may have.
const maxExpression = 64 << 10

func (c call) eval(ctx context.Context, in evalIn) (out evalOut, err error) {
	if len(in.Expression) > maxExpression {
		return out, failf(codeTooLarge, "the expression has %d bytes, want at most %d",
			len(in.Expression), maxExpression)
	}
	cfg := debugger.Config{Options: c.dialect(sourceName)}
	if in.File != "" {
		file, err := c.open(in.File)
		if err != nil {
			return out, err
		}
		end, err := c.execute(ctx, c.config(file, in.Limits, nil), in.Limits)
		out.Output = end.output
		if err != nil {
			return out, err
		}
		cfg.Options, cfg.Predeclared = c.dialect(file.Name()), end.globals
	}
	if _, err := cfg.Options.ParseExpr(expressionName, in.Expression, 0); err != nil {
		return out, malformed(err)
	}
	value, err := c.evaluate(ctx, in, cfg, &out)
	if err == nil {
		out.Value, out.Type = debugger.Preview(value, maxResult), value.Type()
	}
	return out, err
}

// expressionName is the file name in the places of an expression.
const expressionName = "<expression>"

// malformed returns the failure that is the error of the parser.
func malformed(err error) error {
	var bad syntax.Error
	if !errors.As(err, &bad) {
		return err
	}
	f := failf(codeSyntax, "%s", bad.Msg)
	f.at(bad.Pos)
	return f
}

// evaluate runs a program that does nothing but give the expression a name, so that the expression
// has the limits of a program.
func (c call) evaluate(
	ctx context.Context, in evalIn, cfg debugger.Config, out *evalOut,
) (starlark.Value, error) {
	result := "_"
	for strings.Contains(in.Expression, result) {
		result += "_"
	}
	before := result + " = ("
	cfg.Program = expressionName
	cfg.Source = expressionSource(before + in.Expression + "\n)\n")
	cfg.NoDebug, cfg.MaxSteps, cfg.MaxOutput = true, in.steps(), in.output()
	end, err := c.execute(ctx, cfg, in.Limits)
	out.Output += end.output
	if err != nil {
		f := failureOf(err)
		if f.File == expressionName && f.Line == 1 {
			f.Column -= len(before)
		}
		f.Message, f.Backtrace = shifted(f.Message, len(before)), shifted(f.Backtrace, len(before))
		return nil, f
	}
	return end.globals[result], nil
}

// placeInLine is a place in the first line of an expression, as backtraces show it.
var placeInLine = regexp.MustCompile(expressionName + `:1:\d+`)

// shifted returns a text whose places in the first line are so many columns further left.
func shifted(text string, by int) string {
	return placeInLine.ReplaceAllStringFunc(text, func(place string) string {
		head, column := place[:len(expressionName+":1:")], place[len(expressionName+":1:"):]
		n, _ := strconv.Atoi(column) // these are digits
		return head + strconv.Itoa(n-by)
	})
}

// An expressionSource is the text of a program that loads nothing.
type expressionSource string

// Read implements [debugger.Source].
func (s expressionSource) Read(string) (string, error) { return string(s), nil }

// Resolve implements [debugger.Source].
func (s expressionSource) Resolve(_, module string) (string, error) {
	return "", failf(codeFailed, "%q cannot be loaded by an expression", module)
}
