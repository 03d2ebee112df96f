package mcp

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

func TestHTTPBadMessages(t *testing.T) {
	url := serveHTTP(t, newServer(nil), nil)
	for body, want := range map[string]string{
		"garbage": " -32700", line("1.5", "tools/list", ""): "1.5 -32600",
		line("9007199254740993", "tools/list", ""):       "9007199254740993 -32600",
		line("1", "initialize", `{"protocolVersion":7}`): "1 -32602",
		line("2", "initialize", ""):                      "2 -32602",
		line("null", "tools/list", ""):                   " -32600", `"text"`: " -32600",
		line("-0", "tools/list", ""): "-0 -32600",
	} {
		resp, m := post(t, url, body)
		if m == nil || m.Error == nil {
			t.Errorf("%s: %s %v", body, resp.Status, m)
			continue
		}
		code, _ := json.Marshal(m.Error.Code)
		if got := string(m.ID) + " " + string(code); got != want || resp.StatusCode != 400 {
			t.Errorf("%s: %s %s", body, resp.Status, m)
		}
	}
}

// What the server refuses before it has looked at the params used to be refused in plain text, in
// which no client looks for the error of its request.
func TestHTTPRefusesInJSONRPC(t *testing.T) {
	url := serveHTTP(t, newServer(nil), nil)
	for _, c := range []struct {
		name, method, params string
		headers              []string
		code                 int
	}{
		{"unknown method", "nope", "{}", nil, -32601},
		{"no params", "tools/call", "", nil, -32602},
		{"null params", "resources/read", "null", nil, -32602},
		{"a notification with an id", "notifications/initialized", "", nil, -32600},
		{"unknown version", "tools/list", "", []string{headerVersion, "1999-01-01"}, -32600},
		{"neither JSON nor events", "tools/list", "", []string{"Accept", "text/html"}, -32600},
		{"discover without version", "server/discover", "", nil, -32602},
		{"listen without version", "subscriptions/listen", listenToTools, nil, -32602},
	} {
		t.Run(c.name, func(t *testing.T) {
			resp, m := post(t, url, line("7", c.method, c.params), c.headers...)
			if m == nil || m.Error == nil || m.Error.Code != c.code || string(m.ID) != "7" {
				t.Errorf("received %s %v, want %d", resp.Status, m, c.code)
			}
		})
	}
}

// A notification that the server does not know used to be refused.
func TestHTTPIgnoresUnknownNotifications(t *testing.T) {
	url := serveHTTP(t, newServer(nil), nil)
	resp, m := post(t, url, line("", "notifications/unknown", ""))
	if resp.StatusCode != http.StatusAccepted || m != nil {
		t.Errorf("received %s %v", resp.Status, m)
	}
}

// Ids of 16 digits were refused, though most of them are exact.
func TestHTTPExactIDs(t *testing.T) {
	url := serveHTTP(t, newServer(nil), nil)
	for _, id := range []string{"0", "-1", `"a"`, `""`, "1764527896123456", "9007199254740992"} {
		if _, m := post(t, url, line(id, "ping", "")); m == nil || string(m.ID) != id {
			t.Errorf("%s: received %v", id, m)
		}
	}
}

// Scripts that ask for JSON alone were refused.
func TestHTTPAnswersInJSON(t *testing.T) {
	url := serveHTTP(t, newServer(nil), nil)
	for name, headers := range map[string][]string{
		"legacy": nil,
		"modern": {headerVersion, modernEra, "Mcp-Method", "tools/call", "Mcp-Name", "add"},
	} {
		params := toolParams("add", `{"a":1,"b":2}`)
		if headers != nil {
			params = modernly(params)
		}
		resp, m := post(t, url, line("1", "tools/call", params),
			append(headers, "Accept", "application/json")...)
		kind := resp.Header.Get("Content-Type")
		if m == nil || m.Result == nil || !strings.HasPrefix(kind, "application/json") {
			t.Errorf("%s: received %s, %s: %s", name, resp.Status, kind, m)
		}
	}
}

// The server took ids in a batch for others, 1.5 for 1, let initialize be part of one, and refused
// the rest in plain text. Batches in batches were looked at level by level, and their texts each
// time.
func TestHTTPBatches(t *testing.T) {
	url := serveHTTP(t, newServer(nil), nil)
	ping := line("1", "ping", "")
	for name, test := range map[string]struct {
		batch   string
		headers []string
		code    int
	}{
		"good":              {"[" + ping + "," + line("2", "tools/list", "") + "]", nil, 0},
		"of that version":   {"[" + ping + "]", []string{headerVersion, batchVersion}, 0},
		"of another":        {"[" + ping + "]", []string{headerVersion, latest}, -32600},
		"empty":             {"[]", nil, -32600},
		"broken":            {"[" + ping, nil, -32700},
		"no messages":       {"[1]", nil, -32600},
		"batch in a batch":  {"[[" + ping + "]]", nil, -32600},
		"batches in each":   {"[[[1]]]", nil, -32600},
		"fractional id":     {"[" + ping + "," + line("1.5", "ping", "") + "]", nil, -32600},
		"id used twice":     {"[" + ping + "," + ping + "]", nil, -32600},
		"unknown method":    {"[" + ping + "," + line("2", "nope", "") + "]", nil, -32600},
		"listening":         {"[" + line("2", "subscriptions/listen", listenToTools) + "]", nil, -32602},
		"initialize":        {"[" + line("2", "initialize", "{}") + "]", nil, -32600},
		"too many messages": {"[1" + strings.Repeat(",1", maxBatch) + "]", nil, -32600},
	} {
		t.Run(name, func(t *testing.T) {
			resp, m := post(t, url, test.batch, test.headers...)
			switch {
			case m == nil:
				t.Errorf("received %s and no message", resp.Status)
			case test.code == 0 && m.Error != nil:
				t.Errorf("received %s", m)
			case test.code != 0 && (m.Error == nil || m.Error.Code != test.code || m.ID != nil ||
				strings.Count(m.Error.Message, "of the batch") > 1):
				t.Errorf("received %s %s, want %d", resp.Status, m, test.code)
			}
		})
	}
}

// A batch without the header of its version passed in any session.
func TestHTTPBatchOfASession(t *testing.T) {
	url := serveHTTP(t, newServer(nil), nil)
	for version, accepted := range map[string]bool{batchVersion: true, latest: false} {
		resp, _ := post(t, url, line("1", "initialize", initializeParams(version)))
		session := resp.Header.Get(headerSession)
		resp, m := post(t, url, "["+line("2", "ping", "")+"]", headerSession, session)
		if m == nil || m.Error == nil != accepted {
			t.Errorf("%s: received %s %s", version, resp.Status, m)
		}
	}
}
