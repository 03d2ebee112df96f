package mcpface

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func (f *Face) addResources() {
	f.server.AddResourceTemplate(&sdk.ResourceTemplate{
		Name: "file", Title: "Starlark file", URITemplate: fileTemplate, MIMEType: mimeType,
		Description: "A file of the workspace, as the editor that has it open shows it.",
	}, f.read)
}

// fileTemplate is the template of the URIs of files.
const fileTemplate = "file://{+path}"

// maxResource is how many bytes of a text are sent.
const maxResource = 4 << 20

// read returns the text of a resource.
func (f *Face) read(
	_ context.Context, req *sdk.ReadResourceRequest,
) (*sdk.ReadResourceResult, error) {
	uri := req.Params.URI
	name, err := f.file(uri)
	if err != nil {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	text, err := f.guest(name).Text(name)
	switch {
	case err != nil:
		return nil, sdk.ResourceNotFoundError(uri)
	case text.Len() > maxResource:
		return nil, fmt.Errorf("%s has %d bytes, which is more than the %d that are sent",
			uri, text.Len(), maxResource)
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{
		{URI: uri, MIMEType: mimeType, Text: text.String()},
	}}, nil
}

// filesCursor begins the cursors of the pages with files that nobody has open, which follow those
// of the server's own resources: the texts that are open.
const filesCursor = "files:"

// listFiles is middleware that lists the files of the workspace.
func (f *Face) listFiles(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		list, ok := req.(*sdk.ListResourcesRequest)
		if !ok {
			return next(ctx, method, req)
		}
		list, from, err := takeCursor(list)
		if err != nil {
			return nil, err
		}
		res, err := next(ctx, method, list)
		page, ok := res.(*sdk.ListResourcesResult)
		switch {
		case err != nil || !ok:
			return res, err
		case from >= 0: // only what is beside the list is of use
			page.Resources, page.NextCursor = []*sdk.Resource{}, ""
		case page.NextCursor != "":
			return page, nil
		}
		f.appendFiles(page, max(from, 0))
		return page, nil
	}
}

// takeCursor returns a request without a cursor that is ours, and where that points to, or -1.
func takeCursor(list *sdk.ListResourcesRequest) (*sdk.ListResourcesRequest, int, error) {
	if list.Params == nil {
		return list, -1, nil
	}
	cursor, ours := strings.CutPrefix(list.Params.Cursor, filesCursor)
	if !ours {
		return list, -1, nil
	}
	from, err := strconv.Atoi(cursor)
	if err != nil || from < 0 {
		return nil, 0, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "invalid cursor"}
	}
	params := *list.Params
	params.Cursor = ""
	first := *list
	first.Params = &params
	return &first, from, nil
}

// pageSize is how many files a page has.
const pageSize = 1000

// appendFiles adds a page of files to those of a result.
func (f *Face) appendFiles(page *sdk.ListResourcesResult, from int) {
	all := f.files()
	from = min(from, len(all))
	to := min(from+pageSize, len(all))
	for _, name := range all[from:to] {
		page.Resources = append(page.Resources, resourceOf(uriOf(name)))
	}
	if to < len(all) {
		page.NextCursor = filesCursor + strconv.Itoa(to)
	}
}
