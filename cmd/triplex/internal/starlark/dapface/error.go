package dapface

import (
	"context"
	"errors"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/cmd/triplex/internal/starlark/debugger"
	"triplex/dap"
)

// The ids of the errors that clients are answered with. They stay what they are.
const (
	idFailed    = 1000 // the request could not be carried out
	idConfig    = 1001 // the arguments of launch or attach are wrong
	idProgram   = 1002 // the program cannot be read
	idNoRun     = 1003 // there is no such program to attach to
	idTerminal  = 1004 // the program cannot run in a terminal
	idBusy      = 1005 // the session debugs a program already
	idNothing   = 1006 // the session debugs no program
	idAbandoned = 1007 // the session was told to end before the program began
)

// errNothing is the answer to a request that needs a program.
var errNothing = dap.Errorf(idNothing, "there is no program: launch or attach comes first")

// shown returns an error that the client shows to its user at once.
func shown(id int, format string, args ...any) *dap.Error {
	e := dap.Errorf(id, format, args...)
	e.ShowUser = new(true)
	return e
}

// said returns an error as text: of what a client answered, what it says to people.
func said(err error) string {
	if e, ok := dap.AsError(err); ok {
		return e.Error()
	}
	var answer *jsonrpc2.Error
	if errors.As(err, &answer) {
		return answer.Message
	}
	return err.Error()
}

// answer turns an error into what the client is answered with.
func answer(err error) error {
	var known *jsonrpc2.Error
	switch {
	case err == nil, errors.As(err, &known):
		return err
	case errors.Is(err, debugger.ErrNotStopped):
		return dap.ErrNotStopped
	case errors.Is(err, context.Canceled):
		return err // the session knows whose wish that was
	}
	return dap.Errorf(idFailed, "%v", err)
}
