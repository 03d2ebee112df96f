package mcpface

import (
	"context"
	"net/url"
	"path/filepath"
	"slices"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"triplex/cmd/triplex/internal/starlark/workspace"
)

// news tells clients of the texts that editors have open: which there are, and that one has
// changed.
type news struct {
	cancel context.CancelFunc // nil before start
	done   chan struct{}

	listed map[string]bool // URIs of the open texts in the list; of the goroutine alone

	mu       sync.Mutex // guards the field below
	wantedAs map[string][]string
}

// start begins to tell the news. It is called once.
func (n *news) start(f *Face) {
	ctx, cancel := context.WithCancel(context.Background())
	n.cancel, n.done = cancel, make(chan struct{})
	n.listed = make(map[string]bool)
	watcher := f.cfg.Workspace.Watch()
	n.list(f)
	go func() {
		defer close(n.done)
		defer watcher.Close()
		for {
			names, err := watcher.Next(ctx)
			if err != nil {
				return
			}
			n.list(f)
			n.tell(ctx, f, names)
			pause(ctx, newsPause)
		}
	}()
}

// stop ends what start began, and waits for it.
func (n *news) stop() {
	if n.cancel != nil {
		n.cancel()
		<-n.done
	}
}

// newsPause is how long changes are collected before clients hear of them again: an editor sends
// one with each keystroke.
const newsPause = 100 * time.Millisecond

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// list makes the open texts the resources of the server, which tells clients when they change.
func (n *news) list(f *Face) {
	open := make(map[string]bool)
	for _, name := range f.cfg.Workspace.Opened() {
		if uri := uriOf(name); f.isVisible(name) && isURI(uri) {
			open[uri] = true
		}
	}
	var gone []string
	for uri := range n.listed {
		if !open[uri] {
			delete(n.listed, uri)
			gone = append(gone, uri)
		}
	}
	f.server.RemoveResources(gone...)
	for uri := range open {
		if !n.listed[uri] {
			n.listed[uri] = true
			r := resourceOf(uri)
			r.Description = "open in an editor"
			f.server.AddResource(r, f.read)
		}
	}
}

// isURI reports whether the server takes a name for the URI of a resource. Editors may send
// anything.
func isURI(name string) bool {
	u, err := url.Parse(name)
	return err == nil && u.IsAbs()
}

// tell tells those that have subscribed to a text that it has changed.
func (n *news) tell(ctx context.Context, f *Face, names []string) {
	for _, name := range names {
		for _, uri := range n.spellings(name) {
			// The error is that a client has left.
			_ = f.server.ResourceUpdated(ctx, &sdk.ResourceUpdatedNotificationParams{URI: uri})
		}
	}
}

// maxWanted is how many files are remembered under URIs of the clients' own.
const maxWanted = 10_000

// want notes that a client calls a file by a URI of its own.
func (n *news) want(name, uri string) {
	if uri == uriOf(name) {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.wantedAs == nil || len(n.wantedAs) >= maxWanted {
		n.wantedAs = make(map[string][]string)
	}
	if !slices.Contains(n.wantedAs[name], uri) && len(n.wantedAs[name]) < maxNamed {
		n.wantedAs[name] = append(n.wantedAs[name], uri)
	}
}

// spellings returns the URIs under which clients may have subscribed to a file.
func (n *news) spellings(name string) []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]string{uriOf(name)}, n.wantedAs[name]...)
}

func (f *Face) subscribe(_ context.Context, req *sdk.SubscribeRequest) error {
	name, err := f.file(req.Params.URI)
	if err != nil {
		return sdk.ResourceNotFoundError(req.Params.URI)
	}
	f.news.want(name, req.Params.URI)
	return nil
}

// resourceOf describes a text.
func resourceOf(uri string) *sdk.Resource {
	r := &sdk.Resource{URI: uri, Name: uri, MIMEType: mimeType}
	if u, err := url.Parse(uri); err == nil && u.Path != "" {
		r.Name = filepath.Base(u.Path)
	}
	return r
}

const mimeType = "text/x-starlark"

// files returns the Starlark files of the folders that nobody has open.
func (f *Face) files() []string {
	return slices.DeleteFunc(f.cfg.Workspace.Below(f.folders()), func(name string) bool {
		return f.cfg.Workspace.IsOpen(name) || workspace.Canonical(name) != name
	})
}
