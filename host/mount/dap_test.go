//go:build unix

package mount_test

import (
	"fmt"
	"net"
	"path/filepath"
	"testing"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

// dialled serves a mount of kind to a client, and returns the client and the server that was
// dialled.
func dialled(t *testing.T, kind string, f framing.Framing) (client, server *hosttest.Peer) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s")
	ln, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	set := parse(kind + "=unix://" + path)
	set.Options.Framing = f
	t.Cleanup(func() { set.Close() })
	client = hosttest.Start(t, &host.Host{Mounts: []host.MethodSet{set}}, f)
	conn, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return client, hosttest.NewPeer(t, conn, f)
}

// debugging begins a debug session through a relay. The client's next seq is 2, as is that of the
// relay at either side.
func debugging(t *testing.T) (client, adapter *hosttest.Peer) {
	t.Helper()
	client, adapter = dialled(t, "dap", framing.ContentLength)
	client.Send(`{"seq":1,"type":"request","command":"initialize","arguments":{"adapterID":"x"}}`)
	adapter.Expect(`{"seq":1,"type":"request","command":"initialize","arguments":{"adapterID":"x"}}`)
	adapter.Send(`{"seq":1,"type":"response","request_seq":1,"success":true,"command":"initialize"}`)
	client.Expect(`{"seq":1,"type":"response","request_seq":1,"success":true,"command":"initialize"}`)
	return client, adapter
}

// What the envelope did not know, here "zz" and others, used to be repeated in a response to the
// message that had it, and later to be lost.
func TestDebugMessagesPassUnderNumbersOfEachSide(t *testing.T) {
	client, adapter := debugging(t)
	client.Send(`{"seq":70,"type":"request","command":"launch","arguments":{ "n":1.0,"x":null}}`,
		`{"seq":72,"type":"request","command":"custom","zz":1}`)
	wantIn(t, string(adapter.Receive()), `"seq":2,`, `"arguments":{ "n":1.0,"x":null}}`)
	adapter.Expect(`{"seq":3,"type":"request","command":"custom","zz":1}`)
	adapter.Send(
		`{"__restart":{ "a":1 },"seq":9,"type":"event","event":"initialized","Success":true}`,
		`{"seq":8,"type":"response","request_seq":3,"success":false,"command":"custom",`+
			`"message":"no","body":{"error":{"id":7,"format":"{x}","variables":{"x":"y"}}},"e":[]}`,
		`{"seq":7,"type":"event","event":"output","body":{ "output":"\u00e9","data":1.50}}`,
		`{"seq":7,"type":"response","request_seq":2,"success":true,"command":"launch","r":1.0}`)
	client.Expect(`{"seq":2,"type":"event","event":"initialized","__restart":{"a":1}}`)
	client.Expect(`{"seq":3,"type":"response","request_seq":72,"success":false,"command":"custom",` +
		`"message":"no","body":{"error":{"id":7,"format":"{x}","variables":{"x":"y"}}},"e":[]}`)
	wantIn(t, string(client.Receive()), `"seq":4,`, `"body":{ "output":"\u00e9","data":1.50}}`)
	client.Expect(`{"seq":5,"type":"response","request_seq":70,"success":true,"command":"launch",` +
		`"r":1.0}`)
}

func TestReverseRequestsPass(t *testing.T) {
	client, adapter := debugging(t)
	adapter.Send(`{"seq":40,"type":"request","command":"runInTerminal","arguments":{"args":["a"]}}`)
	client.Expect(`{"seq":2,"type":"request","command":"runInTerminal","arguments":{"args":["a"]}}`)
	client.Send(`{"seq":2,"type":"response","request_seq":2,"success":true,` +
		`"command":"runInTerminal","body":{"processId":7}}`)
	adapter.Expect(`{"seq":2,"type":"response","request_seq":40,"success":true,` +
		`"command":"runInTerminal","body":{"processId":7}}`)
}

func TestADebugRequestIsCancelled(t *testing.T) {
	client, adapter := debugging(t)
	client.Send(`{"seq":50,"type":"request","command":"variables","arguments":{}}`)
	adapter.Expect(`{"seq":2,"type":"request","command":"variables","arguments":{}}`)
	client.Send(`{"seq":51,"type":"request","command":"cancel","arguments":{"requestId":50}}`)
	adapter.Expect(`{"seq":3,"type":"request","command":"cancel","arguments":{"requestId":2}}`)
	answers := string(client.Receive()) + string(client.Receive())
	wantIn(t, answers,
		`"request_seq":50,"success":false,"command":"variables","message":"cancelled"`,
		`"request_seq":51,"success":true,"command":"cancel"`)
	adapter.Send(
		`{"seq":2,"type":"response","request_seq":3,"success":true,"command":"cancel"}`,
		`{"seq":3,"type":"response","request_seq":2,"success":true,"command":"variables"}`,
		`{"seq":4,"type":"event","event":"custom"}`)
	client.Expect(`{"seq":4,"type":"event","event":"custom"}`) // and nothing before it
}

func TestProgressOfARequestIsFoundAgainAndCancelled(t *testing.T) {
	client, adapter := debugging(t)
	client.Send(`{"seq":50,"type":"request","command":"launch"}`)
	adapter.Receive()
	const progress = `"type":"event","event":"progressStart",` +
		`"body":{"progressId":"p","requestId":%d,"title":"t"}}`
	adapter.Send(fmt.Sprintf(`{"seq":2,`+progress, 2))
	client.Expect(fmt.Sprintf(`{"seq":2,`+progress, 50))
	client.Send(`{"seq":51,"type":"request","command":"cancel","arguments":{"progressId":"p"}}`)
	adapter.Expect(`{"seq":3,"type":"request","command":"cancel","arguments":{"progressId":"p"}}`)
	adapter.Send(`{"seq":3,"type":"response","request_seq":3,"success":true,"command":"cancel"}`)
	client.Expect(`{"seq":3,"type":"response","request_seq":51,"success":true,"command":"cancel"}`)
}

func TestDisconnectReachesTheAdapter(t *testing.T) {
	client, adapter := debugging(t)
	client.Send(`{"seq":2,"type":"request","command":"disconnect","arguments":{"restart":false}}`)
	adapter.Expect(
		`{"seq":2,"type":"request","command":"disconnect","arguments":{"restart":false}}`)
	adapter.Send(
		`{"seq":2,"type":"event","event":"terminated"}`,
		`{"seq":3,"type":"response","request_seq":2,"success":true,"command":"disconnect"}`)
	client.Expect(`{"seq":2,"type":"event","event":"terminated"}`)
	client.Expect(`{"seq":3,"type":"response","request_seq":2,"success":true,"command":"disconnect"}`)
	client.ExpectEnd()
	adapter.ExpectEnd()
}
