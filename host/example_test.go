package host_test

import (
	"context"
	"fmt"
	"log"
	"net"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
	"triplex/host"
	"triplex/host/echo"
)

// Serve a method set over TCP, and shut down in order.
func ExampleHost_Serve() {
	h := &host.Host{
		Mounts:  []host.MethodSet{echo.Set{}},
		Framing: framing.ContentLength,
		Limits:  host.Limits{Frame: 1 << 20}, // bytes; the others have their defaults
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	served := make(chan error)
	go func() { served <- h.Serve(ln) }()

	// A client of any make may connect to ln.Addr() now.

	if err := h.Shutdown(context.Background()); err != nil {
		log.Fatal(err)
	}
	fmt.Println(<-served)
	// Output: host closed
}

// The methods of a protocol are values, which serve both sides.
var (
	greet = host.Request[*host.Session, *Person, string]{Method: "greet"}
	title = host.Request[*host.Session, *Person, string]{Method: "title"}
)

// Person is what the methods of the example are about.
type Person struct {
	Name string `json:"name"`
}

// Greeter is a plug-in. It greets a person with the title that its peer knows for them.
type Greeter struct{ methods host.Mux[*host.Session] }

// NewGreeter returns a Greeter that is ready to mount.
func NewGreeter() *Greeter {
	g := new(Greeter)
	greet.Handle(&g.methods, func(ctx context.Context, s *host.Session, p *Person) (string, error) {
		known, err := title.Call(ctx, s, p)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("Hello, %s %s!", known, p.Name), nil
	})
	return g
}

// Name implements host.MethodSet.
func (g *Greeter) Name() string { return "greeter" }

// Dialect implements host.MethodSet.
func (g *Greeter) Dialect() *host.Dialect { return host.Plain }

// Open implements host.MethodSet.
func (g *Greeter) Open(_ context.Context, s *host.Session) (host.Handler, error) {
	return host.HandlerFunc(func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		return g.methods.Serve(ctx, s, req)
	}), nil
}

// Registry is the plug-in of the other side. It knows the title of everybody.
type Registry struct{}

// Name implements host.MethodSet.
func (Registry) Name() string { return "registry" }

// Dialect implements host.MethodSet.
func (Registry) Dialect() *host.Dialect { return host.Plain }

// Open implements host.MethodSet.
func (Registry) Open(context.Context, *host.Session) (host.Handler, error) {
	return host.HandlerFunc(func(context.Context, *jsonrpc2.Request) (any, error) {
		return "Doctor", nil
	}), nil
}

// Write a plug-in with typed methods whose handler calls its peer.
func ExampleMethodSet() {
	near, far := net.Pipe()
	server := &host.Host{Mounts: []host.MethodSet{NewGreeter()}}
	if _, err := server.Attach(far, host.PeerInfo{Network: "pipe"}); err != nil {
		log.Fatal(err)
	}
	client := &host.Host{Mounts: []host.MethodSet{Registry{}}}
	s, err := client.Attach(near, host.PeerInfo{Network: "pipe"})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	defer client.Close()

	fmt.Println(greet.Call(context.Background(), s, &Person{Name: "Who"}))
	// Output: Hello, Doctor Who! <nil>
}

// Call the peer of a session. A host is a client as well as a server.
func ExampleSession_Call() {
	near, far := net.Pipe()
	server := &host.Host{Mounts: []host.MethodSet{echo.Set{}}}
	client := &host.Host{Mounts: []host.MethodSet{Registry{}}}
	if _, err := server.Attach(far, host.PeerInfo{Network: "pipe"}); err != nil {
		log.Fatal(err)
	}
	s, err := client.Attach(near, host.PeerInfo{Network: "pipe"})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	defer client.Close()

	var sum int
	err = s.Call(context.Background(), "add", []int{2, 3}, &sum)
	fmt.Println(sum, err)
	err = s.Call(context.Background(), "subtract", []int{2, 3}, nil)
	fmt.Println(err)
	// Output:
	// 5 <nil>
	// jsonrpc2: code -32601 message: method "subtract" is not known here
}

// Mount a handler that was written for a jsonrpc2.Conn.
func ExampleFromHandler() {
	handler := jsonrpc2.HandlerWithError(
		func(ctx context.Context, c *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
			return "from " + req.Method, c.Notify(ctx, "progress", []int{100})
		})
	h := &host.Host{Mounts: []host.MethodSet{host.FromHandler("older", handler)}}
	fmt.Println(h.Mounts[0].Name())
	// Output: older
}
