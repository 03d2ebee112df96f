package cli

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"triplex/host/transport"
)

const (
	// backgroundIdle is how long a host in the background stays without sessions.
	backgroundIdle = time.Minute
	// backgroundPatience is how long a host in the background may take until it listens, or, if
	// somebody else is starting it, to be waited for.
	backgroundPatience = 30 * time.Second
	// backgroundPoll is the pause between two looks whether it listens.
	backgroundPoll = 10 * time.Millisecond
	// backgroundTail is how much of its log is shown if it fails, in bytes.
	backgroundTail = 2000
)

// backgroundFlags checks the flags that a host in the background is to be started with.
func (a *app) backgroundFlags(args []string) (*serveFlags, error) {
	f := new(serveFlags)
	flags := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	f.register(flags)
	if a.Flags != nil {
		a.Flags(flags)
	}
	new(logFlags).register(flags)
	if err := flags.Parse(args); err != nil {
		return nil, usagef("flags of the host: %w", err)
	}
	switch {
	case flags.NArg() > 0:
		return nil, usagef("flags of the host: %q is none", flags.Arg(0))
	case f.stdio || f.pipe != "" || f.socket != "":
		return nil, usagef("flags of the host: --stdio, --pipe and --socket are not for one in the " +
			"background")
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	_, err := a.mountSets(f)
	return f, err
}

// backgroundAddress returns the address of the host in the background that has these flags and the
// working directory of this process. The directory counts, as what is served depends on it: paths
// among the flags, the commands of mounts, and the files that agents may use.
func (a *app) backgroundAddress(args []string) (transport.Address, error) {
	dir, err := os.Getwd()
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return transport.Address{}, fmt.Errorf("find the working directory: %w", err)
	}
	path, err := a.runtimeFile(dir+"\x00"+strings.Join(args, "\x00"), ".sock")
	return transport.Address{Network: "unix", Path: path}, err
}

// runtimeFile returns the path of a file of the user's own in a directory of the user's own. It has
// the program and what it is for in its name.
func (a *app) runtimeFile(purpose, suffix string) (string, error) {
	dir, err := a.runtimeDir()
	if err != nil {
		return "", err
	}
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(program + "\x00" + a.version() + "\x00" + purpose))
	return filepath.Join(dir, hex.EncodeToString(sum[:8])+suffix), nil
}

// runtimeDir makes the directory of the program's sockets. Where the system gives users no
// directory for such things, it lies where anybody can write, so that it has to be made sure that
// nobody else has made it.
func (a *app) runtimeDir() (string, error) {
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("%s-%d", a.Name, os.Getuid()))
	if run := os.Getenv("XDG_RUNTIME_DIR"); run != "" {
		dir = filepath.Join(run, a.Name)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	return dir, checkOwn(dir)
}

// startHost starts a host in the background, unless somebody else just does, and connects to it.
func (a *app) startHost(
	ctx context.Context, to destination, dial func() (net.Conn, error), log *slog.Logger,
) (net.Conn, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, backgroundPatience,
		fmt.Errorf("the host did not listen within %s", backgroundPatience))
	defer cancel()
	lock, err := a.runtimeFile(to.address.String(), ".lock")
	if err != nil {
		return nil, err
	}
	unlock, err := lockFile(ctx, lock)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if conn, err := dial(); err == nil {
		return conn, nil
	}
	return a.spawnHost(ctx, to, dial, log)
}

func (a *app) spawnHost(
	ctx context.Context, to destination, dial func() (net.Conn, error), log *slog.Logger,
) (net.Conn, error) {
	output, err := a.runtimeFile(to.address.String(), ".log")
	if err != nil {
		return nil, err
	}
	cmd, err := a.runInBackground(to, output)
	if err != nil {
		return nil, err
	}
	log.Info("started a host", "pid", cmd.Process.Pid, "log", output)
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }() // until it has ended, or this process has
	for {
		conn, err := dial()
		if err == nil {
			return conn, nil
		}
		select {
		case err := <-ended:
			return nil, fmt.Errorf("the host that was started has ended (%w): %s",
				cmp.Or(err, errors.New("status 0")), logTail(output))
		case <-ctx.Done():
			cmd.Process.Kill()
			return nil, context.Cause(ctx)
		case <-time.After(backgroundPoll):
		}
	}
}

// runInBackground starts this program as a host whose log goes to the file output.
func (a *app) runInBackground(to destination, output string) (*exec.Cmd, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(output, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	args := []string{
		"serve", "--listen", to.address.String(), "--exit-when-idle=" + backgroundIdle.String(),
	}
	cmd := exec.Command(program, append(args, to.serve...)...)
	cmd.Stderr = file
	cmd.SysProcAttr = ownSession()
	return cmd, cmd.Start()
}

// logTail returns the end of a log, for an error.
func logTail(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(text[max(len(text)-backgroundTail, 0):]))
}
