package mcpface

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/debugger"
)

// A Failure is an error that the user or the model can mend.
type Failure struct {
	Code      string `json:"code" jsonschema:"such as not_found, syntax, runtime, timeout"`
	Message   string `json:"message" jsonschema:"what is wrong"`
	File      string `json:"file,omitempty" jsonschema:"file that the error is in"`
	Line      int    `json:"line,omitempty" jsonschema:"line of the error, from 1"`
	Column    int    `json:"column,omitempty" jsonschema:"column of the error in characters, from 1"`
	Backtrace string `json:"backtrace,omitempty" jsonschema:"calls and loads that led to the error"`
}

// Codes of failures.
const (
	codeArguments = "invalid_arguments"
	codeNotFound  = "not_found"
	codeOutside   = "outside_workspace"
	codeAmbiguous = "ambiguous"
	codeTooLarge  = "too_large"
	codeSyntax    = "syntax"
	codeNames     = "names"
	codeRuntime   = "runtime"
	codeTimeout   = "timeout"
	codeSteps     = "step_limit"
	codeOutput    = "output_limit"
	codeMemory    = "memory_limit"
	codeState     = "wrong_state"
	codeRefused   = "refused"
	codeChanged   = "changed"
	codeCancelled = "cancelled"
	codeFailed    = "failed"
)

// Error implements error.
func (f *Failure) Error() string { return f.Message }

// failureOf returns err as a failure.
func failureOf(err error) *Failure {
	var failure *Failure
	switch {
	case errors.As(err, &failure):
		return failure
	case errors.Is(err, context.Canceled):
		return &Failure{Code: codeCancelled, Message: "the client left before the tool was done"}
	case errors.Is(err, fs.ErrNotExist):
		return &Failure{Code: codeNotFound, Message: err.Error()}
	case errors.Is(err, debugger.ErrNotStopped):
		return failf(codeState, "%v: debug_continue waits until it is, debug_pause stops it", err)
	}
	return &Failure{Code: codeFailed, Message: clip(err.Error(), maxMessage)}
}

// Bounds of what a failure says, in bytes.
const (
	maxMessage   = 4 << 10
	maxBacktrace = 16 << 10
)

// programFailure describes how a program failed. It returns nil if it did not.
func programFailure(result debugger.Result) *Failure {
	if result.Err == nil {
		return nil
	}
	failure := &Failure{
		Code: codeRuntime, Message: clip(result.Err.Error(), maxMessage),
		Backtrace: clipMiddle(result.Backtrace, maxBacktrace),
	}
	var malformed syntax.Error
	var unresolved resolve.ErrorList
	var failed *starlark.EvalError
	switch {
	case errors.Is(result.Err, debugger.ErrTerminated):
		failure.Code = "terminated"
	case errors.Is(result.Err, debugger.ErrMemory):
		failure.Code = codeMemory
	case errors.As(result.Err, &malformed):
		failure.Code = codeSyntax
		failure.at(malformed.Pos)
	case errors.As(result.Err, &unresolved):
		failure.Code = codeNames
		failure.at(unresolved[0].Pos)
	case errors.As(result.Err, &failed):
		failure.locate(failed)
	}
	return failure
}

// locate puts the failure where the innermost call failed that has a place.
func (f *Failure) locate(failed *starlark.EvalError) {
	for {
		var cause *starlark.EvalError
		if !errors.As(failed.Unwrap(), &cause) {
			break
		}
		failed = cause
	}
	if reason, ok := strings.CutPrefix(failed.Msg, "Starlark computation cancelled: "); ok {
		f.Code = codeOutput
		if reason == "too many steps" {
			f.Code = codeSteps
		}
	}
	for i := range failed.CallStack {
		if pos := failed.CallStack.At(i).Pos; pos.Filename() != "<builtin>" {
			f.at(pos)
			return
		}
	}
}

func (f *Failure) at(pos syntax.Position) {
	f.File, f.Line, f.Column = pos.Filename(), int(pos.Line), int(pos.Col)
}
