package cli

import (
	"crypto/tls"

	"github.com/spf13/pflag"

	"triplex/host/transport"
)

// serverTLS are the flags that secure what serve listens on.
type serverTLS struct {
	cert, key, clientCA string

	config *tls.Config // nil without flags
}

func (f *serverTLS) register(flags *pflag.FlagSet) {
	flags.Var((*word)(&f.cert), "tls-cert",
		"secure TCP and https with the certificate in `FILE` (PEM)")
	flags.Var((*word)(&f.key), "tls-key", "the private key of --tls-cert, in `FILE`")
	flags.Var((*word)(&f.clientCA), "tls-client-ca",
		"let in clients with a certificate of the authorities in `FILE`")
}

// check loads what the flags name. HTTP clients need no certificates.
func (f *serverTLS) check(https bool) (err error) {
	switch {
	case https && (f.cert == "" || f.key == ""):
		return usagef("--listen https:// takes --tls-cert and --tls-key")
	case f.cert == "" && f.key == "" && f.clientCA == "":
		return nil
	case f.cert == "" || f.key == "" || f.clientCA == "" && !https:
		return usagef("TLS takes all of --tls-cert, --tls-key and --tls-client-ca")
	}
	f.config, err = transport.ServerTLS(f.cert, f.key, f.clientCA)
	return err
}

// clientTLS are the flags with which a command shows itself to a server.
type clientTLS struct {
	cert, key, ca string

	config *tls.Config // nil without flags
}

func (f *clientTLS) register(flags *pflag.FlagSet) {
	flags.Var((*word)(&f.cert), "tls-cert", "use TLS, with the certificate in `FILE` (PEM)")
	flags.Var((*word)(&f.key), "tls-key", "the private key of --tls-cert, in `FILE`")
	flags.Var((*word)(&f.ca), "tls-ca",
		"trust servers with a certificate of the authorities in `FILE` (default the system's)")
}

// check loads what the flags name.
func (f *clientTLS) check() (err error) {
	if f.cert == "" && f.key == "" && f.ca == "" {
		return nil
	}
	if f.cert == "" || f.key == "" {
		return usagef("TLS takes both --tls-cert and --tls-key")
	}
	f.config, err = transport.ClientTLS(f.cert, f.key, f.ca)
	return err
}
