package child_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"

	"triplex/host/mount/child"
)

// The main function of a program that starts children begins with MaybeGuard.
func ExampleStart() {
	child.MaybeGuard()

	server, err := child.Start(context.Background(), child.Config{Args: []string{"gopls", "serve"}})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	go io.Copy(server.Conn(), os.Stdin)
	io.Copy(os.Stdout, server.Conn())
}

func ExampleSplit() {
	words, err := child.Split(`dlv dap --listen "127.0.0.1:${port}"`, nil)
	fmt.Printf("%q %v\n", words, err)
	// Output:
	// ["dlv" "dap" "--listen" "127.0.0.1:${port}"] <nil>
}
