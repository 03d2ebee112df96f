// Package child starts, watches and reliably ends the child processes that a host mounts.
//
// # Why a guard
//
// A server that a host spawned must be gone when its session is, with everything it spawned in
// turn, also when the host itself was killed and could do nothing about it. A parent death signal
// cannot promise that: it reaches the direct child alone, and it fires when the thread that forked
// ends, which in Go is any time. So between the host and each child stands a guard: the same
// executable, run again under a private argv[0] (see [MaybeGuard]), which starts the child in a
// process group of its own and holds the reading end of a pipe from the host. The kernel closes
// that pipe however the host ends, and then the guard ends the child: stdin is closed by then,
// SIGTERM follows after [Config.StdinGrace] and SIGKILL after [Config.TermGrace]. [Process.Close]
// takes the same road, so that there is one way to end a child and it is the one in daily use.
//
// On Linux the guard is also the reaper of its subtree: processes that left the group, as
// debuggers and daemons do, become the guard's children when their parents end, and are killed
// too. On other Unix systems only the group is. Should the guard itself be killed, the child dies
// with it by its death signal (Linux), and the host kills what is left of the group and, on Linux,
// each process that bears the mark which the child had in its environment, TRIPLEX_CHILD.
//
// A guard costs one small process for each child and one more exec before the child runs. It reads
// the command from its pipe rather than from its arguments, runs in a process group of its own and
// ignores the signals that ask a process to end, so that what ends the host spares the guard.
package child
