package mcpface

import (
	"context"
	"net/http"
	"os"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"triplex/cmd/triplex/internal/starlark/runs"
	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/host"
	"triplex/mcp"
)

// name is the name of the method set and of the server.
const name = "starlark-mcp"

// A Config says what the tools work with. Workspace and Runs are required.
type Config struct {
	// Workspace has the files, and the texts that editors have open.
	Workspace *workspace.Workspace
	// Runs has the programs of all sessions of the host.
	Runs *runs.Registry
	// Roots returns the folders that tools may use beside those of attached editors. If it is nil
	// or returns none, that is the working directory.
	Roots func() []string
	// Version is that of the program, for clients to show.
	Version string
	// MaxMemory is by how many bytes the host's memory may grow while a program runs; zero means
	// debugger.DefaultMaxMemory.
	MaxMemory uint64
}

// A Face is the method set. It is safe for concurrent use.
type Face struct {
	*mcp.Set
	cfg     Config
	server  *sdk.Server
	started sync.Once
	news    news
	follows followers
}

// New returns the face. It is to be closed after its last session.
func New(cfg Config) *Face {
	f := &Face{cfg: cfg}
	f.server = sdk.NewServer(
		&sdk.Implementation{Name: name, Title: "Starlark", Version: cfg.Version},
		&sdk.ServerOptions{
			Instructions:       instructions,
			Capabilities:       new(sdk.ServerCapabilities),
			CompletionHandler:  f.complete,
			SubscribeHandler:   f.subscribe,
			UnsubscribeHandler: func(context.Context, *sdk.UnsubscribeRequest) error { return nil },
		})
	f.addTools()
	f.addResources()
	f.addPrompts()
	f.server.AddReceivingMiddleware(f.listFiles, nameErrors, leaveOutNulls)
	f.Set = mcp.Mount(f.server, &mcp.Options{Name: name})
	return f
}

const instructions = "Tools for Starlark (Bazel, Buck, Tilt and other programs that embed it)." +
	" They see what editors of this host have open and not saved yet. Start with starlark_check;" +
	" debug_start runs a file to a breakpoint. Lines and columns count from 1."

func (f *Face) addTools() {
	f.addRunning()
	f.addReading()
	f.addWriting()
	f.addDebugging()
}

// Open implements [host.MethodSet].
func (f *Face) Open(ctx context.Context, s *host.Session) (host.Handler, error) {
	f.started.Do(func() { f.news.start(f) })
	return f.Set.Open(ctx, s)
}

// HTTPHandler serves the same tools over HTTP, as [mcp.Set.HTTPHandler] does.
func (f *Face) HTTPHandler(limits host.Limits) http.Handler {
	f.started.Do(func() { f.news.start(f) })
	return f.Set.HTTPHandler(limits)
}

// Close implements [io.Closer]. It ends what the face does in the background; the programs are the
// registry's.
func (f *Face) Close() error {
	f.started.Do(func() {}) // not any more
	f.news.stop()
	return nil
}

// folders returns those that tools may use, without symbolic links.
func (f *Face) folders() []string {
	var roots []string
	if f.cfg.Roots != nil {
		roots = f.cfg.Roots()
	}
	if len(roots) == 0 {
		if dir, err := os.Getwd(); err == nil {
			roots = []string{dir}
		}
	}
	var folders []string
	for _, root := range roots {
		folders = appendNew(folders, workspace.Canonical(root))
	}
	for _, folder := range f.cfg.Workspace.Folders() {
		folders = appendNew(folders, folder)
	}
	return folders
}
