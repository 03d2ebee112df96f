package transport

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
)

// Address is where to listen, or what to dial. See [ParseAddress] for its written form.
type Address struct {
	Network string // "tcp", "unix", "http" or "https"
	Host    string // of all but unix: a name or an IP address without brackets
	Port    uint16 // of all but unix; 0 lets the system choose one to listen on
	Path    string // of unix: the socket's file; of http and https: the path, at least "/"
}

// forms are the written forms of the networks, as error messages show them.
var forms = map[string]string{
	"tcp":   "tcp://HOST:PORT",
	"unix":  "unix:///PATH",
	"http":  "http://HOST:PORT/PATH",
	"https": "https://HOST:PORT/PATH",
}

// ParseAddress parses tcp://HOST:PORT, unix:///PATH, http://HOST:PORT/PATH or the same of https, as
// far as networks allows them; without networks it allows tcp and unix. The error says what would
// be right.
func ParseAddress(s string, networks ...string) (Address, error) {
	if len(networks) == 0 {
		networks = []string{"tcp", "unix"}
	}
	a, err := parse(s, networks)
	if err != nil {
		return Address{}, fmt.Errorf("address %q: %w", s, err)
	}
	return a, nil
}

func parse(s string, networks []string) (Address, error) {
	network, rest, ok := strings.Cut(s, "://")
	switch {
	case !ok:
		return Address{}, fmt.Errorf("want %s%s", want(networks), guess(s, networks))
	case !slices.Contains(networks, network):
		return Address{}, fmt.Errorf("unknown scheme %q: want %s", network, want(networks))
	case network == "unix":
		return parseUnix(rest)
	}
	a := Address{Network: network}
	if network == "http" || network == "https" {
		rest, a.Path, _ = strings.Cut(rest, "/")
		a.Path = "/" + a.Path
	}
	var err error
	a.Host, a.Port, err = parseHostPort(rest)
	return a, err
}

func parseUnix(path string) (Address, error) {
	if !strings.HasPrefix(path, "/") {
		return Address{}, errors.New("want an absolute path, as in unix:///run/user/1000/host.sock")
	}
	return Address{Network: "unix", Path: path}, nil
}

func parseHostPort(s string) (host string, port uint16, err error) {
	host, digits, err := net.SplitHostPort(s)
	if err != nil {
		var bad *net.AddrError
		if errors.As(err, &bad) {
			err = errors.New(bad.Err)
		}
		return "", 0, fmt.Errorf("%w: want HOST:PORT, as in 127.0.0.1:4389 or [::1]:4389", err)
	}
	n, err := strconv.ParseUint(digits, 10, 16)
	if err != nil {
		return "", 0, fmt.Errorf("port %q: want a number from 0 to 65535", digits)
	}
	return host, uint16(n), nil
}

// want lists the forms of networks.
func want(networks []string) string {
	var all []string
	for _, network := range networks {
		all = append(all, forms[network])
	}
	last := len(all) - 1
	if last == 0 {
		return all[0]
	}
	return strings.Join(all[:last], ", ") + " or " + all[last]
}

// guess completes an address that lacks its scheme.
func guess(s string, networks []string) string {
	network := networks[0]
	if strings.HasPrefix(s, "/") {
		network = "unix"
	} else if _, _, err := parseHostPort(s); err != nil {
		return ""
	}
	if !slices.Contains(networks, network) {
		return ""
	}
	return fmt.Sprintf("; did you mean %s://%s?", network, s)
}

// String returns the address as ParseAddress takes it.
func (a Address) String() string {
	if a.Network == "unix" {
		return "unix://" + a.Path
	}
	return a.Network + "://" + a.hostPort() + a.Path
}

func (a Address) hostPort() string {
	return net.JoinHostPort(a.Host, strconv.Itoa(int(a.Port)))
}
