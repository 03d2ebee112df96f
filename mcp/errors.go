package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/sourcegraph/jsonrpc2"
)

// Error codes of the legacy era, which a modern server must not use (2026-07-28, changelog).
const (
	codeResourceNotFound = -32002
	codeURLElicitation   = sdk.CodeURLElicitationRequired
)

// Methods that are about a resource.
const (
	methodRead      = "resources/read"
	methodSubscribe = "resources/subscribe"
)

// translate is middleware that gives errors the code of the era. An error without code is -32603.
func translate(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		res, err := next(ctx, method, req)
		if err == nil {
			return res, nil
		}
		return nil, translated(err, method, req)
	}
}

func translated(err error, method string, req sdk.Request) error {
	var wire *jsonrpc.Error
	modern := isModernRequest(req)
	switch {
	case !errors.As(err, &wire), wire.Code == 0, errors.Is(err, errRejected):
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	case (method == methodRead || method == methodSubscribe) && isNotFound(wire):
		return notFound(wire, modern, req)
	case modern && wire.Code == codeURLElicitation:
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	return err
}

// isModernRequest reports whether a request names the version it is written in.
func isModernRequest(req sdk.Request) bool {
	params := req.GetParams()
	return !isNil(params) && params.GetMeta()[sdk.MetaKeyProtocolVersion] != nil
}

// isNotFound reports whether an error says that there is no such resource, in whatever code.
func isNotFound(e *jsonrpc.Error) bool {
	return e.Code == codeResourceNotFound ||
		e.Message == sdk.ResourceNotFoundError("").Error() && e.Code == jsonrpc.CodeInvalidParams
}

// notFound is the error for a missing resource: -32002 in the legacy era (2025-11-25, Resources,
// error handling), -32602 in the modern one (2026-07-28, Resources, error handling).
func notFound(e *jsonrpc.Error, modern bool, req sdk.Request) error {
	answer := &jsonrpc.Error{Code: codeResourceNotFound, Message: e.Message, Data: e.Data}
	if modern {
		answer.Code = jsonrpc.CodeInvalidParams
	}
	var uri string
	switch p := req.GetParams().(type) {
	case *sdk.ReadResourceParams:
		uri = p.URI
	case *sdk.SubscribeParams:
		uri = p.URI
	}
	answer.Data, _ = json.Marshal(map[string]string{"uri": uri}) // strings always marshal
	return answer
}

// wireError returns an answer's error for the wire. One without a code comes of the server itself,
// before any middleware: of params that it cannot read. If it finds no version in them, it takes a
// modern request for a legacy one that has come too early.
func wireError(method string, modern bool, err error) error {
	var wire *jsonrpc.Error
	switch {
	case errors.As(err, &wire) && wire.Code != 0:
	case modern:
		return refusal(jsonrpc2.CodeInvalidParams,
			"the params of %s cannot be read: they may be nested too deeply", method)
	case method == methodInitialize:
		return refusal(jsonrpc2.CodeInvalidParams, "%s", clipped(err.Error()))
	default:
		return refusal(jsonrpc2.CodeInternalError, "%s", clipped(err.Error()))
	}
	e := refusal(wire.Code, "%s", clipped(err.Error()))
	if len(wire.Data) > 0 {
		e.Data = &wire.Data
	}
	return e
}

// maxMessage bounds an error's message, in bytes: the server puts the params into it that it could
// not read, however long they are.
const maxMessage = 2000

func clipped(message string) string {
	if len(message) <= maxMessage {
		return message
	}
	return strings.ToValidUTF8(message[:maxMessage], "") + "…"
}
