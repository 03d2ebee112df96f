package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/sourcegraph/jsonrpc2"
)

// isSupportable reports whether the server can judge a version: it takes those from before the
// modern era for the sign of a legacy request.
func isSupportable(version json.RawMessage) bool {
	return len(version) > 0 && version[0] == '"' && string(version[1:]) >= modernEra
}

// unsupportable is the params of a request in a version that no server has.
var unsupportable = fmt.Appendf(nil, `{"_meta":{%q:"9999-12-31",%q:{}}}`,
	sdk.MetaKeyProtocolVersion, sdk.MetaKeyClientCapabilities)

// refuseVersion returns the answer to a modern request in a version from before the modern era.
// What is supported only the server knows, so it gets to refuse one.
func (l *link) refuseVersion(ctx context.Context, version json.RawMessage, sent func()) error {
	var requested string
	if json.Unmarshal(version, &requested) != nil {
		sent()
		return refusal(jsonrpc2.CodeInvalidParams,
			"%s is a string, not %.40s", sdk.MetaKeyProtocolVersion, version)
	}
	_, err := l.call(ctx, methodDiscover, unsupportable, sent)
	if e, data := unsupportedVersion(err); e != nil {
		data.Requested = requested
		raw, _ := json.Marshal(data) // strings are always marshaled
		e.Data = (*json.RawMessage)(&raw)
	}
	return err
}

// asLegacy makes a server without modern versions answer server/discover as one that has never
// heard of it. A client would take -32022 for the answer of a modern server.
func asLegacy(err error) error {
	e, data := unsupportedVersion(err)
	if e == nil {
		return err
	}
	for _, version := range data.Supported {
		if version >= modernEra {
			return err
		}
	}
	return refusal(jsonrpc2.CodeMethodNotFound, "method not found: %q", methodDiscover)
}

// unsupportedVersion returns the error and its data, if err says that a version is not supported.
func unsupportedVersion(err error) (*jsonrpc2.Error, sdk.UnsupportedProtocolVersionData) {
	var data sdk.UnsupportedProtocolVersionData
	var e *jsonrpc2.Error
	if !errors.As(err, &e) || e.Code != sdk.CodeUnsupportedProtocolVersion || e.Data == nil ||
		json.Unmarshal(*e.Data, &data) != nil {
		return nil, data
	}
	return e, data
}
