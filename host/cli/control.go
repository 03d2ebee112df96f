package cli

import (
	"context"
	"time"

	"triplex/framing"
	"triplex/host"
)

// listSessions is the method that a host itself answers, whatever it serves, to processes of its
// own user. The names that begin with the same word are kept for others of its kind.
var listSessions = host.Request[*host.Session, host.NoParams, []sessionInfo]{
	Method: "triplex/sessions",
}

// sessionInfo is what listSessions tells of a session.
type sessionInfo struct {
	ID       uint64          `json:"id"`
	Peer     string          `json:"peer"`
	Protocol string          `json:"protocol"` // the dialect's name; empty if not yet known
	Mount    string          `json:"mount"`
	Framing  framing.Framing `json:"framing"` // auto if not yet known, and over HTTP
	Started  time.Time       `json:"started"`
	Requests uint64          `json:"requests"`
	InFlight int             `json:"inFlight"`
	BytesIn  int64           `json:"bytesIn"`
	BytesOut int64           `json:"bytesOut"`
}

// controlMethods returns the methods of the host itself; web returns its clients over HTTP.
func controlMethods(h *host.Host, web func() []guest) *host.Mux[*host.Session] {
	mux := new(host.Mux[*host.Session])
	listSessions.Handle(mux, func(
		_ context.Context, asker *host.Session, _ host.NoParams,
	) ([]sessionInfo, error) {
		if !asker.Peer().SameUser {
			return nil, host.MethodNotFound(listSessions.Method)
		}
		infos := []sessionInfo{}
		for _, s := range h.Sessions() {
			if info := describe(s); s != asker && (info.InFlight > 0 || !isEnding(s)) {
				infos = append(infos, info)
			}
		}
		for _, c := range web() {
			infos = append(infos, describe(c))
		}
		return infos, nil
	})
	return mux
}

// isEnding tells the sessions that last from those that only see their connections closed, such as
// the one before, in which the asker found out that it had chosen the wrong framing.
func isEnding(s *host.Session) bool {
	select {
	case <-s.Ending():
		return true
	default:
		return false
	}
}

func describe(s guest) sessionInfo {
	st := s.Stats()
	info := sessionInfo{
		ID:       s.ID(),
		Peer:     s.Peer().String(),
		Mount:    st.Mount,
		Framing:  st.Framing,
		Started:  st.Started,
		Requests: st.Requests,
		InFlight: st.InFlight,
		BytesIn:  st.BytesIn,
		BytesOut: st.BytesOut,
	}
	if d := s.Dialect(); d != nil {
		info.Protocol = d.Name
	}
	return info
}
