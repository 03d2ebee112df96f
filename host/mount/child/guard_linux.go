package child

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// selfPath returns a path that runs this executable, also after its file was replaced.
func selfPath() (string, error) {
	return "/proc/self/exe", nil
}

// childAttributes puts a child into a group of its own and lets it die with the guard, should
// the guard be killed.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// adoptOrphans makes this process the parent of descendants whose own parent ends.
func adoptOrphans() error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("become the reaper of the child's descendants: %w", err)
	}
	return nil
}

// descendants lists the processes below pid, parents first. Where /proc does not tell, which takes
// an unusual kernel, it lists none, and the child's group is all that can be signalled.
func descendants(pid int) []int {
	var found []int
	for queue := []int{pid}; len(queue) > 0; queue = queue[1:] {
		children := childrenOf(queue[0])
		found = append(found, children...)
		queue = append(queue, children...)
	}
	return found
}

// killMarked kills until no process has mark in the environment that it was started with.
func killMarked(mark string, limit time.Duration) error {
	deadline := time.Now().Add(limit)
	for {
		pids := signalMarked(mark)
		if len(pids) == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("SIGKILL has not ended processes %v within %v", pids, limit)
		}
		time.Sleep(pollInterval)
	}
}

// signalMarked kills the processes that have mark, and lists them. Those of other users, whose
// environment cannot be read, could not be killed either.
func signalMarked(mark string) (pids []int) {
	paths, _ := filepath.Glob("/proc/[0-9]*") // a valid pattern
	for _, path := range paths {
		pid, _ := strconv.Atoi(filepath.Base(path))
		process, err := os.FindProcess(pid) // a handle, as pid may come to mean another process
		if err != nil {
			continue
		}
		env, _ := os.ReadFile(path + "/environ")
		if bytes.Contains(env, []byte(mark)) {
			_ = process.Kill()
			pids = append(pids, pid)
		}
		_ = process.Release()
	}
	return pids
}

// childrenOf lists the children of all threads of a process.
func childrenOf(pid int) []int {
	tasks := fmt.Sprintf("/proc/%d/task", pid)
	threads, err := os.ReadDir(tasks)
	if err != nil {
		return nil // ended in the meantime
	}
	var children []int
	for _, thread := range threads {
		list, _ := os.ReadFile(tasks + "/" + thread.Name() + "/children")
		for _, word := range strings.Fields(string(list)) {
			if child, err := strconv.Atoi(word); err == nil {
				children = append(children, child)
			}
		}
	}
	return children
}
