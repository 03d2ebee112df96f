package cli

import "triplex/host"

// guest is one of those whom a host serves: a session, or what HTTP clients have in its place. Its
// methods are safe for concurrent use.
type guest interface {
	// ID returns a number that no other guest of the host has.
	ID() uint64
	// Peer says who it is.
	Peer() host.PeerInfo
	// Dialect returns what it speaks, nil as long as that is not known.
	Dialect() *host.Dialect
	// Stats returns what was done for it so far.
	Stats() host.Stats
}
