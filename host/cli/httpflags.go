package cli

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/pflag"

	"triplex/host/transport"
)

// httpFlags say how HTTP clients get in.
type httpFlags struct {
	tokenFile string

	addresses []transport.Address // those of --listen that are of HTTP
	token     string              // of tokenFile; empty without
}

func (f *httpFlags) register(flags *pflag.FlagSet) {
	flags.Var((*word)(&f.tokenFile), "token-file",
		"let in HTTP clients that send the bearer token in `FILE`")
}

// secured reports whether an address is one of https.
func (f *httpFlags) secured() bool {
	for _, address := range f.addresses {
		if address.Network == "https" {
			return true
		}
	}
	return false
}

// bearerToken is what can be sent as one (RFC 6750, section 2.1).
var bearerToken = regexp.MustCompile(`^[A-Za-z0-9._~+/-]+=*$`)

// check loads the token, once the addresses are known.
func (f *httpFlags) check() error {
	if f.tokenFile == "" {
		return nil
	}
	if len(f.addresses) == 0 {
		return usagef("--token-file is for HTTP clients: it takes --listen http://HOST:PORT/PATH too")
	}
	text, err := os.ReadFile(f.tokenFile)
	if err != nil {
		return fmt.Errorf("--token-file: %w", err)
	}
	f.token = strings.TrimSpace(string(text))
	if !bearerToken.MatchString(f.token) {
		return fmt.Errorf("--token-file %s: want one line of letters, digits and ._~+/-, as "+
			"`openssl rand -hex 32` prints", f.tokenFile)
	}
	return nil
}

// requireToken lets requests through that bear the token.
func requireToken(token string, next http.Handler) http.Handler {
	want := sha256.Sum256([]byte(token)) // of the same length as that of any other
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		got := sha256.Sum256([]byte(given))
		if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "send the token of this server: Authorization: Bearer TOKEN",
				http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}
