//go:build !unix

package cli

import (
	"context"
	"errors"
	"syscall"
)

var errNoBackground = errors.New("--start is not supported on this system: start the host yourself")

func ownSession() *syscall.SysProcAttr { return nil }

func checkOwn(string) error { return errNoBackground }

func lockFile(context.Context, string) (unlock func(), err error) { return nil, errNoBackground }
