package lsp

import (
	"encoding/json"
	"testing"

	"triplex/host"
)

func TestClaims(t *testing.T) {
	tests := []struct {
		name string
		m    host.Message
		want host.Claim
	}{
		{"initialize", host.Message{Kind: host.KindRequest, Method: "initialize",
			Params: json.RawMessage(`{"capabilities":{}}`)}, host.UsualClaim},
		{"without params", host.Message{Kind: host.KindRequest, Method: "initialize"},
			host.UsualClaim},
		{"of MCP", host.Message{Kind: host.KindRequest, Method: "initialize",
			Params: json.RawMessage(`{"protocolVersion":"2025-06-18"}`)}, host.NoClaim},
		{"notification", host.Message{Kind: host.KindNotification, Method: "initialize"},
			host.NoClaim},
		{"other request", host.Message{Kind: host.KindRequest, Method: "shutdown"}, host.NoClaim},
		{"no message", host.Message{Raw: json.RawMessage(`1`)}, host.NoClaim},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Dialect.Claims(&tt.m); got != tt.want {
				t.Errorf("claim is %d, expected %d", got, tt.want)
			}
		})
	}
}
