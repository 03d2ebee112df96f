// Package terminal lets a program that runs in the host appear in a terminal of its user. The
// debug client starts a process there (reverse request runInTerminal of DAP), and the process
// connects back to the host: it prints what the program prints, and exits as the program does. To
// interrupt the process, or to close the terminal, ends the program.
//
// The interpreter stays in the host. So the program is still the text that editors have open and
// unsaved, and other sessions can join it. A Starlark program has nothing of a process of its own
// but its output and its exit code: the language has no input, files or environment.
//
// The two ends talk in lines of JSON over a loopback connection. The process begins with the token
// it was given, which is good for one connection.
package terminal

// hello is what the process says first.
type hello struct {
	Token string `json:"token"`
}

// message is what the host says after that.
type message struct {
	Output string `json:"output,omitzero"` // for standard output
	Error  string `json:"error,omitzero"`  // for standard error
	Exit   *int   `json:"exit,omitzero"`   // the program has ended
}
