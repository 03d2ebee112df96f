//go:build unix

package mount_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

// heard returns the frames that the fake server has received, once there are n.
func heard(t *testing.T, p *hosttest.Peer, n int) []string {
	t.Helper()
	p.Send(request(`"heard"`, fakeHeard, fmt.Sprintf("[%d]", n)))
	raw, _ := host.Member(p.Receive(), "result")
	var frames []string
	if err := json.Unmarshal(raw, &frames); err != nil {
		t.Fatal(err)
	}
	return frames
}

// say has the fake server send messages.
func say(p *hosttest.Peer, messages ...string) {
	texts, err := json.Marshal(messages)
	if err != nil {
		panic(err)
	}
	p.Send(notification(fakeSay, string(texts)))
}

func TestMessagesPassAsTheBytesTheyAre(t *testing.T) {
	const odd = `{ "n":1.50e+03,"big":123456789012345678901234567890, "\u0061":[ "é\/" ],"x":null}`
	for _, f := range []framing.Framing{framing.ContentLength, framing.Newline} {
		t.Run(f.String(), func(t *testing.T) {
			p := start(t, fakeMount(t, "plain", f))
			p.Send(notification("note", odd), request("1.50", "echo", odd))
			if got, want := string(p.Receive()), result("1.50", odd); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			frames := heard(t, p, 2)
			wantIn(t, frames[0], `"params":`+odd)
			wantIn(t, frames[1], `"id":1,`, `"params":`+odd)
		})
	}
}

// TestMessagesArriveInTheOrderTheyWereSent: messages that were handled beside one another used to
// overtake each other, a request its didChange.
func TestMessagesArriveInTheOrderTheyWereSent(t *testing.T) {
	p := start(t, fakeMount(t, "plain", framing.ContentLength))
	var sent []string
	for i := range 1000 {
		params := fmt.Sprintf("[%d]", i)
		if i%3 == 1 {
			sent = append(sent, notification("note", params))
		} else {
			sent = append(sent, request(strconv.Itoa(i), "mute", params))
		}
	}
	p.Send(sent...)
	for i, frame := range heard(t, p, 1000) {
		wantIn(t, frame, fmt.Sprintf(`"params":[%d]`, i))
	}
}

func TestAnswersKeepTheirPlaceAmongNotifications(t *testing.T) {
	p := start(t, fakeMount(t, "plain", framing.Newline))
	for i := range 100 {
		p.Send(request("1", "mute", ""))
		frames := heard(t, p, 2*i+1)
		id, _ := host.Member(json.RawMessage(frames[len(frames)-1]), "id")
		say(p, notification("before", ""), result(string(id), "7"), notification("after", ""))
		p.Expect(notification("before", ""))
		p.Expect(result("1", "7"))
		p.Expect(notification("after", ""))
	}
}

func TestRequestsOfTheServerReachTheClient(t *testing.T) {
	p := start(t, fakeMount(t, "plain", framing.ContentLength))
	say(p, request(`"q"`, "question", `{"x":1.0}`), notification("told", "[]"))
	if got := string(p.Receive()); got != request("1", "question", `{"x":1.0}`) {
		t.Errorf("got %s", got)
	}
	p.Expect(notification("told", "[]"))
	p.Send(`{"jsonrpc":"2.0","id":1,"error":{"code":-32803,"message":"no","data":[1.0],"x":1}}`)
	frames := heard(t, p, 2)
	wantIn(t, frames[len(frames)-1], `"id":"q"`,
		`"error":{"code":-32803,"message":"no","data":[1.0],"x":1}`)
}

func TestARequestOfTheServerThatIsNotAnsweredFails(t *testing.T) {
	set := fakeMount(t, "plain", framing.ContentLength)
	h := &host.Host{
		Mounts: []host.MethodSet{set},
		Limits: host.Limits{CallTimeout: 50 * time.Millisecond},
	}
	p := hosttest.Start(t, h, framing.Newline)
	say(p, request("9", "question", ""))
	p.Expect(request("1", "question", ""))
	p.Expect(notification(host.CancelMethod, `{"id":1}`))
	frames := heard(t, p, 2)
	wantIn(t, frames[len(frames)-1], `"id":9`, "-32803", "did not answer in time")
}

func TestCancellationGoesBothWays(t *testing.T) {
	p := start(t, fakeMount(t, "lsp", framing.ContentLength))
	initialize(t, p)
	p.Send(request(`"a"`, "mute", ""))
	id, _ := host.Member(json.RawMessage(heard(t, p, 3)[2]), "id")
	p.Send(notification(host.CancelMethod, `{"id":"a"}`))
	p.Expect(`{"jsonrpc":"2.0","id":"a","error":{"code":-32800,"message":"request cancelled"}}`)
	frames := heard(t, p, 4)
	wantIn(t, frames[len(frames)-1], notification(host.CancelMethod, `{"id":`+string(id)+`}`))

	say(p, request("77", "window/showMessageRequest", "{}"))
	p.Expect(request("1", "window/showMessageRequest", "{}"))
	say(p, notification(host.CancelMethod, `{"id":77}`))
	p.Expect(notification(host.CancelMethod, `{"id":1}`))
	frames = heard(t, p, 7)
	wantIn(t, frames[len(frames)-1], `"id":77`, "-32800")
}

// initialize does the handshake of the language server protocol.
func initialize(t *testing.T, p *hosttest.Peer) {
	t.Helper()
	p.Send(request("0", "initialize", `{"processId": 4711 ,"capabilities":{}}`))
	wantIn(t, string(p.Receive()), `"id":0`, `"result"`)
	p.Send(notification("initialized", "{}"))
}

func TestTheHostStandsForTheClientsProcess(t *testing.T) {
	p := start(t, fakeMount(t, "lsp", framing.ContentLength))
	initialize(t, p)
	want := fmt.Sprintf(`"params":{"processId": %d ,"capabilities":{}}`, os.Getpid())
	wantIn(t, heard(t, p, 2)[0], want)
}

func TestTheEndOfTheProtocolReachesTheServer(t *testing.T) {
	p := start(t, fakeMount(t, "lsp", framing.ContentLength))
	initialize(t, p)
	p.Send(request("1", "shutdown", ""))
	p.Expect(result("1", "null"))
	p.Send(notification("exit", ""))
	p.ExpectEnd()
	p.Close()
	<-p.Session.Done()
	if status := p.Session.ExitStatus(); status != 0 {
		t.Errorf("exit status %d", status)
	}
}

// Two clients with the same ids used to be mixed up where they shared a server.
func TestClientsHaveTheirOwnServers(t *testing.T) {
	set := fakeMount(t, "plain", framing.Newline)
	h := &host.Host{Mounts: []host.MethodSet{set}}
	a, b := hosttest.Start(t, h, framing.Newline), hosttest.Start(t, h, framing.Newline)
	a.Send(request("1", "mute", ""), request("2", "echo", `["a"]`))
	b.Send(request("1", "echo", `["b"]`), request("2", "echo", `["b"]`))
	a.Expect(result("2", `["a"]`))
	b.Expect(result("1", `["b"]`))
	b.Expect(result("2", `["b"]`))
	a.Send(request("3", fakePID, ""))
	b.Send(request("3", fakePID, ""))
	if x, y := string(a.Receive()), string(b.Receive()); x == y {
		t.Errorf("both are served by one process: %s", x)
	}
}

func TestBatchesPassElementByElement(t *testing.T) {
	p := start(t, fakeMount(t, "plain", framing.ContentLength))
	p.Send("[" + request("1", "echo", "[1]") + "," + notification("note", "") + "," +
		request(`"1"`, "echo", "[2]") + "]")
	got := string(p.Receive())
	wantIn(t, got, result("1", "[1]"), result(`"1"`, "[2]"))
	if got[0] != '[' {
		t.Errorf("no array: %s", got)
	}
}

func TestAServerOnAPort(t *testing.T) {
	p := start(t, fakeMount(t, "plain", framing.Newline, "port=${port}"))
	p.Send(request("1", "echo", "[1]"))
	p.Expect(result("1", "[1]"))
}

func TestLargeMessages(t *testing.T) {
	p := start(t, fakeMount(t, "plain", framing.ContentLength))
	big := `["` + strings.Repeat("x", 5<<20) + `"]`
	go p.Send(request("1", "echo", big))
	if got := string(p.Receive()); got != result("1", big) {
		t.Errorf("got %d bytes", len(got))
	}
}
