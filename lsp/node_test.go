package lsp

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	nodejs "triplex/testdata/node"
)

// nodeOracle replays edits with the document class that VS Code's servers use. It gets a list of
// runs and prints, for each edit, the text after it, its line count, and the position of an
// offset. Each edit and each question gets a fresh document, as the class loses count of the
// lines after an edit beyond the last one.
const nodeOracle = `
const { TextDocument } = require('vscode-languageserver-textdocument');
const runs = JSON.parse(require('fs').readFileSync(0, 'utf8'));
console.log(JSON.stringify(runs.map(({ text, edits }) => edits.map(({ change, probe }) => {
	const create = (text) => TextDocument.create('untitled:1', '', 1, text);
	text = TextDocument.update(create(text), [change], 2).getText();
	const doc = create(text);
	return { text, lines: doc.lineCount, position: doc.positionAt(probe) };
}))));`

type nodeRun struct {
	Text  string     `json:"text"`
	Edits []nodeEdit `json:"edits"`
}

type nodeEdit struct {
	Change nodeChange `json:"change"`
	Probe  int        `json:"probe"` // offset into the text after it, in UTF-16
	after  Text
	probe  int // the same in bytes
}

type nodeChange struct {
	Range *protocol.Range `json:"range,omitempty"`
	Text  string          `json:"text"`
}

type nodeState struct {
	Text     string
	Lines    int
	Position protocol.Position
}

func TestAgainstNode(t *testing.T) {
	cmd := nodejs.Command(t, "vscode-languageserver-textdocument", "-e", nodeOracle)
	r := rand.New(rand.NewPCG(5, 6))
	var runs []nodeRun
	for range 150 {
		runs = append(runs, randomRun(r))
	}
	for i, states := range runNode(t, cmd, runs) {
		for k, want := range states {
			edit := runs[i].Edits[k]
			if got := edit.after.String(); got != want.Text {
				t.Fatalf("run %d, edit %d %+v: %q, want %q", i, k, edit.Change, got, want.Text)
			}
			if got := edit.after.LineCount(); got != want.Lines {
				t.Errorf("run %d, edit %d: %d lines, want %d", i, k, got, want.Lines)
			}
			if got := edit.after.Position(edit.probe, utf16Kind); got != want.Position {
				t.Errorf("run %d, edit %d: position of %d is %v, want %v",
					i, k, edit.probe, got, want.Position)
			}
		}
	}
}

func runNode(t *testing.T, cmd *exec.Cmd, runs []nodeRun) (states [][]nodeState) {
	t.Helper()
	input, err := json.Marshal(runs)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdin = strings.NewReader(string(input))
	cmd.Stderr = os.Stderr
	output, err := cmd.Output()
	if err != nil {
		t.Fatal("node: ", err)
	}
	if err := json.Unmarshal(output, &states); err != nil {
		t.Fatal(err)
	}
	if len(states) != len(runs) {
		t.Fatalf("node answered %d runs of %d", len(states), len(runs))
	}
	return states
}

// randomRun edits a random text 20 times, and keeps the text after each edit.
func randomRun(r *rand.Rand) nodeRun {
	start := validText(r, r.IntN(3*maxLeaf))
	run := nodeRun{Text: start}
	text := NewText(start)
	for range 20 {
		c := nodeChange{Text: validText(r, r.IntN(1<<r.IntN(11)))}
		if r.IntN(20) > 0 {
			c.Range = &protocol.Range{Start: randomPosition(r, text), End: randomPosition(r, text)}
		}
		text = text.Apply([]protocol.TextDocumentContentChangeEvent{c.event()}, utf16Kind)
		at := text.before(r.IntN(text.Len() + 1))
		run.Edits = append(run.Edits, nodeEdit{c, at.utf16, text, at.bytes})
	}
	return run
}

func (c nodeChange) event() protocol.TextDocumentContentChangeEvent {
	if c.Range == nil {
		return whole(c.Text)
	}
	return change(c.Range.Start, c.Range.End, c.Text)
}

// validText is random text that a JavaScript string can hold.
func validText(r *rand.Rand, n int) string { return strings.ToValidUTF8(randomText(r, n), "?") }

// randomPosition is mostly one inside text, but may be past the end of its line or of the text.
// It is never inside a surrogate pair: JavaScript cuts the pair there, we do not.
func randomPosition(r *rand.Rand, text Text) protocol.Position {
	pos := text.Position(r.IntN(text.Len()+1), utf16Kind)
	switch r.IntN(10) {
	case 0:
		pos.Character = 1 << 20
	case 1:
		pos.Line += 1 << 20
	case 2:
		_, end := text.lineBounds(int(pos.Line))
		pos.Character = text.Position(end, utf16Kind).Character + 1
	}
	return pos
}
