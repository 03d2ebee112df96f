package main

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

//lint:file-ignore SA1019 what the modern era deprecates, legacy sessions have

// sealer signs the state that clients keep for the server, so that they cannot change it.
type sealer struct{ key []byte }

func newSealer() *sealer { return &sealer{[]byte(rand.Text())} }

func (s *sealer) sum(state string) string {
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte(state))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// seal returns the state as a client gets it.
func (s *sealer) seal(state string) string { return state + "." + s.sum(state) }

// open returns what was sealed.
func (s *sealer) open(sealed string) (string, error) {
	state, sum, _ := strings.Cut(sealed, ".")
	if !hmac.Equal([]byte(sum), []byte(s.sum(state))) {
		return "", &jsonrpc.Error{
			Code: jsonrpc.CodeInvalidParams, Message: "requestState is not as the server sent it",
		}
	}
	return state, nil
}

// round is one question of a tool that asks in rounds; the state that a client brings back is the
// name of the round whose answers it brings.
type round struct {
	state string
	ask   sdk.InputRequestMap
}

// addRounds adds the tools with a state, and with more rounds than one.
func addRounds(server *sdk.Server) {
	confirm := sdk.InputRequestMap{
		"confirm": form("Please confirm", `"ok":{"type":"boolean"}`, "ok"),
	}
	states := newSealer()
	add := func(name, answer string, rounds ...round) {
		sdk.AddTool(server, &sdk.Tool{Name: name, Description: "Asks in rounds."},
			func(_ context.Context, req *toolRequest, _ noArguments) (*toolResult, any, error) {
				next, err := follow(rounds, req.Params, states)
				if err != nil || next == nil {
					return result(text(answer)), nil, err
				}
				return &toolResult{
					InputRequests: next.ask, RequestState: states.seal(next.state),
				}, nil, nil
			})
	}
	add("test_input_required_result_request_state", "state-ok", round{"asked", confirm})
	add("test_input_required_result_tampered_state", "state-ok", round{"asked", confirm})
	add("test_input_required_result_multiple_inputs", "all answered",
		round{"asked", sdk.InputRequestMap{
			"user_name":    form("What is your name?", name, "name"),
			"greeting":     prompt("Generate a greeting", 50),
			"client_roots": &sdk.ListRootsParams{},
		}})
	add("test_input_required_result_multi_round", "both answered",
		round{"first", sdk.InputRequestMap{
			"step1": form("Step 1: What is your name?", name, "name"),
		}},
		round{"second", sdk.InputRequestMap{
			"step2": form("Step 2: What is your favorite color?", `"color":{"type":"string"}`, "color"),
		}})
}

// follow returns the round that comes next, nil after the last one.
func follow(rounds []round, p *sdk.CallToolParamsRaw, states *sealer) (*round, error) {
	if p.RequestState == "" {
		return &rounds[0], nil
	}
	state, err := states.open(p.RequestState)
	if err != nil {
		return nil, err
	}
	for i := range rounds {
		switch {
		case rounds[i].state != state:
		case !answered(rounds[i].ask, p.InputResponses):
			return &rounds[i], nil
		case i+1 < len(rounds):
			return &rounds[i+1], nil
		}
	}
	return nil, nil
}
