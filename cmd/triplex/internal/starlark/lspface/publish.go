package lspface

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"triplex/host"
	"triplex/lsp"
)

// pushes reports whether the client waits to be told of problems. One that asks for them is not
// told as well: it would show them twice.
func (c *checker) pushes() bool { return textDocument(c.session.client).Diagnostic == nil }

// refreshes reports whether a client that asks for problems can be told to ask again.
func (c *checker) refreshes() bool {
	d := inWorkspace(c.session.client).Diagnostics
	return d != nil && isTrue(d.RefreshSupport)
}

// look finds the problems of a document and tells the client of them. What a change of it means
// for those that load it is looked at later.
func (c *checker) look(ctx context.Context, u uri.URI, edited bool) {
	s := c.session
	_, isOpen := s.client.Documents().Get(u)
	switch {
	case !isOpen:
		c.clear(ctx, u)
	case c.pushes():
		c.push(ctx, u)
	case !edited && c.refreshes(): // after an edit the client asks by itself
		c.refresh(ctx)
	}
	if !edited {
		return
	}
	if isOpen && (c.pushes() || c.refreshes()) {
		c.scheduleLint(u)
	}
	name := realName(nameOf(u))
	c.depend(name)
	s.face.tellOthers(s, name)
}

// push finds the problems of an open document and publishes them, unless the client knows.
func (c *checker) push(ctx context.Context, u uri.URI) {
	d, err := open(c.session.client, u)
	if err != nil || !d.open {
		return // closed in this moment
	}
	began := time.Now()
	problems, err := c.problems(ctx, d)
	if err != nil {
		return // the session is over
	}
	d.trace(ctx, "looked for problems of", len(problems), began)
	p := &protocol.PublishDiagnosticsParams{URI: d.uri, Diagnostics: problems}
	if v := textDocument(c.session.client).PublishDiagnostics; v != nil && isTrue(v.VersionSupport) {
		p.Version = protocol.NewOptional(d.version)
	}
	c.publish(ctx, p)
}

// problems returns the problems of a document, with what lint has found in the same text.
func (c *checker) problems(ctx context.Context, d *document) ([]protocol.Diagnostic, error) {
	found, err := d.file.Problems(ctx)
	if err != nil {
		return nil, err
	}
	loads := make(map[string]bool)
	for _, link := range d.file.Links() {
		loads[realName(link.Target)] = true
	}
	missing := false
	for _, p := range found {
		missing = missing || strings.HasPrefix(p.Code, "load-")
	}
	list := d.diagnostics(found)
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.docs[lsp.KeyOf(d.uri)]; known != nil {
		known.loads, known.missing = loads, missing
		if known.linted == d.file.Text().String() {
			list = append(list, known.lint...)
		}
	}
	return list, nil
}

// publish tells the client the problems of a document, unless it has been told the same.
func (c *checker) publish(ctx context.Context, p *protocol.PublishDiagnosticsParams) {
	c.mu.Lock()
	d := c.docs[lsp.KeyOf(p.URI)]
	known := d == nil || !d.opened && reflect.DeepEqual(d.told, p)
	if !known {
		d.told, d.opened = p, false
	}
	c.mu.Unlock()
	if !known {
		c.send(ctx, p)
	}
}

func (c *checker) send(ctx context.Context, p *protocol.PublishDiagnosticsParams) {
	if err := c.session.client.PublishDiagnostics(ctx, p); err != nil {
		c.session.client.Core().Logger().Debug("problems are lost", "uri", p.URI, "error", err)
	}
}

// clear takes back the problems of a document that was closed, and forgets it.
func (c *checker) clear(ctx context.Context, u uri.URI) {
	c.mu.Lock()
	d := c.docs[lsp.KeyOf(u)]
	told := d != nil && d.told != nil && len(d.told.Diagnostics) > 0
	if d != nil && d.due.IsZero() { // not opened again meanwhile
		delete(c.docs, lsp.KeyOf(u))
	}
	c.mu.Unlock()
	if told {
		c.send(ctx, &protocol.PublishDiagnosticsParams{
			URI: u, Diagnostics: []protocol.Diagnostic{},
		})
	}
}

// refresh has the client ask for all problems again.
func (c *checker) refresh(ctx context.Context) {
	c.mu.Lock()
	for _, d := range c.docs {
		if !d.edited {
			d.due = time.Time{}
		}
	}
	c.mu.Unlock()
	if _, err := lsp.DiagnosticRefresh.Call(ctx, c.session.client, host.NoParams{}); err != nil {
		c.session.client.Core().Logger().Debug("the client does not refresh", "error", err)
	}
}

// scheduleLint lets lint look at a document once it has been left alone for a while.
func (c *checker) scheduleLint(u uri.URI) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if d := c.docs[lsp.KeyOf(u)]; d != nil && !d.edited {
		d.lintDue = time.Now().Add(settle)
	}
}

// startLint begins to lint a document. It is called with mu held.
func (c *checker) startLint(d *checked) {
	ctx, stop := context.WithCancel(c.session.client.Core().Context())
	d.lintDue, d.stopLint = time.Time{}, stop
	u := d.uri
	c.linting = c.session.client.Core().Go(func(context.Context) {
		defer c.endLint(d, stop)
		c.runLint(ctx, u)
	})
}

// endLint lets the next document be linted.
func (c *checker) endLint(d *checked, stop context.CancelFunc) {
	stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.linting, d.stopLint = false, nil
	c.kick()
}

// runLint lints a document. If it finds something, the client is told with the other problems.
func (c *checker) runLint(ctx context.Context, u uri.URI) {
	d, err := open(c.session.client, u)
	if err != nil || !d.open {
		return
	}
	began := time.Now()
	found, err := d.file.Lint(ctx)
	if err != nil {
		return // edited meanwhile, or nothing that lint can handle
	}
	d.trace(ctx, "linted", len(found), began)
	lint := d.diagnostics(found)
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.docs[lsp.KeyOf(u)]
	if known == nil {
		return
	}
	known.lint, known.linted = lint, d.file.Text().String()
	if len(lint) > 0 {
		known.due = sooner(known.due, time.Now())
	}
}

// trace tells a client that traces the server of work on the document that it did not ask for, and
// which therefore its own trace does not show.
func (d *document) trace(ctx context.Context, did string, found int, began time.Time) {
	text := fmt.Sprintf("%s %s in %v: %d found", did, filepath.Base(d.name),
		time.Since(began).Round(time.Microsecond), found)
	details := fmt.Sprintf("%s, version %d, %d bytes", d.uri, d.version, d.text.Len())
	if err := d.session.LogTrace(ctx, text, details); err != nil {
		d.session.Core().Logger().Debug("a trace is lost", "error", err)
	}
}

// realName returns a name with symbolic links resolved, so that two of one file compare equal.
func realName(name string) string {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	return name
}
