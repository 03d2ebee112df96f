package mcpface

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"triplex/cmd/triplex/internal/starlark/workspace"
)

// listed returns the names of all resources, page by page.
func (a *agent) listed() (names []string) {
	a.Helper()
	for r, err := range a.Resources(a.Context(), nil) {
		if err != nil {
			a.Fatal(err)
		}
		names = append(names, r.Name)
	}
	return names
}

func TestResources(t *testing.T) {
	eachEra(t, library, func(t *testing.T, a *agent) {
		if got := fmt.Sprint(a.listed()); got != "[lib.star main.star dup.star dup2.star]" {
			t.Errorf("listed %s", got)
		}
		editor := a.editor(`{}`)
		editor.open(uriOf(a.path("main.star")), "unsaved = 1\n")
		editor.open("untitled:Untitled-1", "new = 1\n")
		view, err := a.workspace.View(workspace.Options{})
		if err != nil {
			t.Fatal(err)
		}
		view.Open("1nvalid:name", "no URI\n")
		editor.open(uriOf(filepath.Join(filepath.Dir(a.dir), "outside.star")), "outside = 1\n")
		awaitList(a, "[lib.star dup.star dup2.star main.star untitled:Untitled-1]")
		for uri, want := range map[string]string{
			uriOf(a.path("main.star")): "unsaved = 1\n",
			uriOf(a.path("lib.star")):  library["lib.star"],
			"untitled:Untitled-1":      "new = 1\n",
		} {
			res, err := a.ReadResource(a.Context(), &sdk.ReadResourceParams{URI: uri})
			if err != nil || res.Contents[0].Text != want || res.Contents[0].MIMEType != mimeType {
				t.Errorf("%s: %v, %v", uri, res, err)
			}
		}
		for _, uri := range []string{
			"file:///etc/hostname", uriOf(a.path("none.star")), "untitled:none", "http://x/", "nothing",
		} {
			_, err := a.ReadResource(a.Context(), &sdk.ReadResourceParams{URI: uri})
			var wire *jsonrpc.Error
			if !errors.As(err, &wire) || wire.Code != -32002 && wire.Code != jsonrpc.CodeInvalidParams {
				t.Errorf("%s: %v", uri, err)
			}
		}
		templates, err := a.ListResourceTemplates(a.Context(), nil)
		if err != nil || templates.ResourceTemplates[0].URITemplate != fileTemplate {
			t.Errorf("%v, %v", templates, err)
		}
	})
}

// awaitList waits until the list of resources has come up with the editor: it is told by a
// goroutine of its own.
func awaitList(a *agent, want string) {
	a.Helper()
	var got string
	for began := time.Now(); time.Since(began) < time.Minute; {
		names := a.listed()
		slices.Sort(names)
		sorted := strings.Fields(strings.Trim(want, "[]"))
		slices.Sort(sorted)
		if got = fmt.Sprint(names); got == fmt.Sprint(sorted) {
			return
		}
	}
	a.Errorf("listed %s, want %s", got, want)
}

func TestResourcePages(t *testing.T) {
	files := map[string]string{}
	for i := range pageSize + 1 {
		files[fmt.Sprintf("f%04d.star", i)] = ""
	}
	a := newBench(t, files).agent(false, nil)
	if got := a.listed(); len(got) != pageSize+1 || !slices.IsSorted(got) {
		t.Errorf("%d files are listed", len(got))
	}
	for _, cursor := range []string{"files:x", "files:-1", "other"} {
		_, err := a.ListResources(a.Context(), &sdk.ListResourcesParams{Cursor: cursor})
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("cursor %s: %v", cursor, err)
		}
	}
	page, err := a.ListResources(a.Context(), &sdk.ListResourcesParams{Cursor: "files:9999"})
	if err != nil || len(page.Resources) != 0 {
		t.Errorf("%v, %v", page, err)
	}
}

// Clients hear of a text that they have subscribed to under their own URI, and of new texts.
func TestResourceNews(t *testing.T) {
	b := newBench(t, library)
	updates, changes := make(chan string, 100), make(chan bool, 100)
	a := b.agent(true, &sdk.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, req *sdk.ResourceUpdatedNotificationRequest) {
			updates <- req.Params.URI
		},
		ResourceListChangedHandler: func(context.Context, *sdk.ResourceListChangedRequest) {
			changes <- true
		},
	})
	own := strings.Replace(uriOf(b.path("lib.star")), "lib", "%6cib", 1)
	for _, uri := range []string{own, uriOf(b.path("main.star"))} {
		if err := a.Subscribe(t.Context(), &sdk.SubscribeParams{URI: uri}); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Subscribe(t.Context(), &sdk.SubscribeParams{URI: "file:///etc/hostname"}); err == nil {
		t.Error("subscribed to a file outside")
	}
	editor := b.editor(`{}`)
	editor.open(uriOf(b.path("lib.star")), "x = 1\n")
	<-changes
	if got := <-updates; got != own {
		t.Errorf("updated %s", got)
	}
	editor.change(uriOf(b.path("lib.star")), 8, "x = 2\n")
	if got := <-updates; got != own {
		t.Errorf("updated %s", got)
	}
	if err := a.Unsubscribe(t.Context(), &sdk.UnsubscribeParams{URI: own}); err != nil {
		t.Fatal(err)
	}
	editor.change(uriOf(b.path("lib.star")), 9, "x = 3\n")
	editor.open(uriOf(b.path("main.star")), "y = 1\n")
	if got := <-updates; got != uriOf(b.path("main.star")) {
		t.Errorf("updated %s", got)
	}
}

func TestPrompts(t *testing.T) {
	eachEra(t, library, func(t *testing.T, a *agent) {
		get := func(name string, in map[string]string) (string, error) {
			res, err := a.GetPrompt(a.Context(), &sdk.GetPromptParams{Name: name, Arguments: in})
			if err != nil {
				return "", err
			}
			return res.Messages[0].Content.(*sdk.TextContent).Text, nil
		}
		got, err := get("explain_failure", map[string]string{"file": "main.star", "error": "it broke"})
		for _, want := range []string{
			"it broke", "1:28: LIMIT is loaded but not used", library["main.star"],
		} {
			if err != nil || !strings.Contains(got, want) {
				t.Errorf("no %q in %s, %v", want, got, err)
			}
		}
		got, err = get("write_test", map[string]string{"file": "lib.star", "function": "greet"})
		if err != nil || !strings.Contains(got, "return inner()") || strings.Contains(got, "LIMIT") {
			t.Errorf("%s, %v", got, err)
		}
		for name, in := range map[string]map[string]string{
			"explain_failure": {"file": "/etc/hostname"},
			"write_test":      {"file": "lib.star", "function": "LIMIT"},
			"nothing":         {},
		} {
			_, err := get(name, in)
			var wire *jsonrpc.Error
			if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func TestCompletion(t *testing.T) {
	a := newBench(t, library).agent(false, nil)
	complete := func(ref *sdk.CompleteReference, argument, value, file string) string {
		t.Helper()
		p := &sdk.CompleteParams{
			Ref: ref, Argument: sdk.CompleteParamsArgument{Name: argument, Value: value},
		}
		if file != "" {
			p.Context = &sdk.CompleteContext{Arguments: map[string]string{"file": file}}
		}
		res, err := a.Complete(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(strings.Join(res.Completion.Values, " "), a.dir, "")
	}
	prompt := &sdk.CompleteReference{Type: "ref/prompt", Name: "write_test"}
	for _, c := range []struct {
		ref                   *sdk.CompleteReference
		argument, value, file string
		want                  string
	}{
		{prompt, "file", "", "", "/lib.star /main.star /sub/dup.star /sub/dup2.star"},
		{prompt, "file", "dup", "", "/sub/dup.star /sub/dup2.star"},
		{prompt, "file", a.path("l"), "", "/lib.star"},
		{prompt, "file", "m", "", "/main.star"},
		{prompt, "file", "p", "", "/sub/dup.star /sub/dup2.star"},
		{prompt, "file", "sub/", "", "/sub/dup.star /sub/dup2.star"},
		{prompt, "file", "i", "", "/lib.star /main.star"},
		{prompt, "file", filepath.Base(a.dir), "", ""}, // all of them lie there
		{prompt, "function", "g", "lib.star", "greet"},
		{prompt, "function", "", "", ""},
		{prompt, "function", "", "/etc/hostname", ""},
		{prompt, "other", "", "", ""},
		{&sdk.CompleteReference{Type: "ref/resource", URI: fileTemplate}, "path", a.path("m"), "",
			"/main.star"},
	} {
		if got := complete(c.ref, c.argument, c.value, c.file); got != c.want {
			t.Errorf("%s %q of %s: %q, want %q", c.argument, c.value, c.file, got, c.want)
		}
	}
	// The files used to be offered for prompts that there are not.
	var wire *jsonrpc.Error
	_, err := a.Complete(t.Context(), &sdk.CompleteParams{
		Ref:      &sdk.CompleteReference{Type: "ref/prompt", Name: "none"},
		Argument: sdk.CompleteParamsArgument{Name: "file"},
	})
	if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams {
		t.Errorf("completion for no prompt: %v", err)
	}
}

// Every tool tells what it takes and returns, and what it may do.
func TestToolList(t *testing.T) {
	eachEra(t, nil, func(t *testing.T, a *agent) {
		list, err := a.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var names, changing []string
		for _, tool := range list.Tools {
			names = append(names, tool.Name)
			if !tool.Annotations.ReadOnlyHint {
				changing = append(changing, tool.Name)
			}
			for _, schema := range []any{tool.InputSchema, tool.OutputSchema} {
				raw, err := json.Marshal(schema)
				if strings.Contains(string(raw), `"null"`) {
					t.Errorf("%s has types that may be null, which not all clients take: %s", tool.Name, raw)
				}
				if err != nil || !strings.Contains(string(raw), `"properties"`) &&
					tool.Name != "debug_sessions" {
					t.Errorf("%s has the schema %s, %v", tool.Name, raw, err)
				}
			}
			raw, _ := json.Marshal(tool.OutputSchema)
			if strings.Contains(string(raw), `"required":["outcome`) ||
				!strings.Contains(string(raw), `"error"`) || tool.Description == "" {
				t.Errorf("%s: %s", tool.Name, raw)
			}
		}
		want := "debug_breakpoints debug_continue debug_evaluate debug_pause debug_sessions debug_start" +
			" debug_step debug_stop starlark_check starlark_definition starlark_eval starlark_format" +
			" starlark_references starlark_rename starlark_run starlark_symbols"
		if got := strings.Join(names, " "); got != want {
			t.Errorf("tools: %s", got)
		}
		want = "debug_breakpoints debug_continue debug_evaluate debug_pause debug_start debug_step" +
			" debug_stop starlark_rename"
		if got := strings.Join(changing, " "); got != want {
			t.Errorf("tools that change something: %s", got)
		}
	})
}
