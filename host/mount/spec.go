package mount

import (
	"errors"
	"fmt"
	"strings"

	"triplex/host"
	"triplex/host/mount/child"
	"triplex/host/transport"
)

// Parse makes a method set of a spec [NAME:]KIND=TARGET. KIND is the name of one of the dialects,
// NAME the name of the mount, by default KIND. TARGET is one of
//
//	exec:COMMAND ARGS    a child for each session; see [child.Split] for the words, and
//	                     [child.Config] for a ${port} in them
//	tcp://HOST:PORT      a connection for each session
//	unix:///PATH         likewise
//
// The error says what would be right.
func Parse(spec string, dialects []*host.Dialect) (*Set, error) {
	left, target, ok := strings.Cut(spec, "=")
	if !ok {
		return nil, errors.New("want [NAME:]KIND=TARGET, as in lsp=exec:gopls")
	}
	name, kind, named := strings.Cut(left, ":")
	if !named {
		kind = name
	}
	if name == "" {
		return nil, errors.New("the name before the colon is empty: want [NAME:]KIND=TARGET")
	}
	s := &Set{name: name}
	var err error
	if s.protocol, err = find(kind, dialects); err != nil {
		return nil, err
	}
	s.dialect = inOrder(s.protocol)
	return s, s.aim(target)
}

// find returns the dialect called kind.
func find(kind string, dialects []*host.Dialect) (*host.Dialect, error) {
	var known []string
	for _, d := range dialects {
		if d.Name == kind {
			return d, nil
		}
		known = append(known, d.Name)
	}
	return nil, fmt.Errorf("unknown kind %q: want one of %s", kind, strings.Join(known, ", "))
}

// aim sets what the mount starts or dials.
func (s *Set) aim(target string) (err error) {
	if command, ok := strings.CutPrefix(target, "exec:"); ok {
		s.args, err = child.Split(command, nil)
		return err
	}
	if !strings.Contains(target, "://") {
		return fmt.Errorf("target %q: want exec:COMMAND, tcp://HOST:PORT or unix:///PATH", target)
	}
	if s.address, err = transport.ParseAddress(target); err != nil {
		return err
	}
	if s.address.Network == "tcp" && s.address.Port == 0 {
		return fmt.Errorf("address %q: want a port from 1 to 65535 to dial", target)
	}
	return nil
}
