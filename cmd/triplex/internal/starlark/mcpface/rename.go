package mcpface

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"triplex/cmd/triplex/internal/starlark/workspace"
)

func (f *Face) addWriting() {
	addTool(f, &sdk.Tool{
		Name: "starlark_rename",
		Description: "Give a name another one, in all files of the workspace. Give file, line and" +
			" column, or a symbol. If an editor of this host has one of the files open, it makes the" +
			" changes; else they are returned only, unless write is set.",
		Annotations: &sdk.ToolAnnotations{
			Title: "Rename", DestructiveHint: new(true), OpenWorldHint: new(false),
		},
	}, call.rename)
}

type renameIn struct {
	Target
	NewName string `json:"new_name" jsonschema:"the name to give"`
	Write   bool   `json:"write,omitempty" jsonschema:"write to disk what no editor has open"`
}

// An Edit is a change of a file.
type Edit struct {
	File string `json:"file"`
	Range
	NewText string `json:"new_text" jsonschema:"what replaces the range"`
}

type renameOut struct {
	Outcome
	Edits   []Edit `json:"edits,omitzero"`
	Omitted int    `json:"omitted,omitempty" jsonschema:"how many edits are not in the list"`
	Applied string `json:"applied,omitempty" jsonschema:"editor or disk; absent if nobody did"`
}

func (c call) rename(ctx context.Context, in renameIn) (out renameOut, err error) {
	if len(in.NewName) > maxName {
		return out, failf(codeTooLarge, "the new name has %d bytes, want at most %d",
			len(in.NewName), maxName)
	}
	file, off, err := c.locate(ctx, in.Target)
	if err != nil {
		return out, err
	}
	edits, err := file.Rename(ctx, off, in.NewName)
	if err != nil {
		return out, failf(codeRefused, "%v", err)
	}
	for _, e := range edits {
		if !c.isVisible(e.Name) {
			return out, failf(codeOutside, "the name is also used in %s, which is outside of the"+
				" folders that tools may use", e.Name)
		}
	}
	out.list(edits)
	label := fmt.Sprintf("Rename to %s", in.NewName)
	done, err := c.cfg.Workspace.Apply(ctx, label, edits)
	switch {
	case errors.Is(err, workspace.ErrChanged):
		return out, failf(codeChanged, "%v: try again", err)
	case err != nil:
		return out, failf(codeRefused, "the editor that has a file open did not change it: %v", err)
	case done:
		out.Applied = "editor"
	case in.Write:
		if err := c.writeRenamed(edits, in.NewName); err != nil {
			return out, err
		}
		out.Applied = "disk"
	}
	return out, nil
}

func (out *renameOut) list(edits []workspace.FileEdit) {
	out.Edits = []Edit{}
	for _, file := range edits {
		for _, e := range file.Edits {
			if len(out.Edits) == maxReferences {
				out.Omitted++
				continue
			}
			out.Edits = append(out.Edits, Edit{file.Name, rangeOf(file.Text, e.Span), e.New})
		}
	}
}

// writeRenamed writes edits to disk, once the user has agreed if the client can ask.
func (c call) writeRenamed(edits []workspace.FileEdit, name string) error {
	var files []string
	for _, e := range edits {
		files = append(files, filepath.Base(e.Name))
	}
	shown, omitted := bounded(files, maxNamed)
	text := fmt.Sprintf("Rename to %s: write %d files (%s",
		name, len(files), strings.Join(shown, ", "))
	if omitted > 0 {
		text += fmt.Sprintf(" and %d more", omitted)
	}
	if err := c.confirm(text+")?", fingerprint(edits)); err != nil {
		return err
	}
	return writeAll(edits)
}

// fingerprint identifies edits, so that what is done is what the user has agreed to.
func fingerprint(edits []workspace.FileEdit) string {
	h := sha256.New()
	for _, e := range edits {
		fmt.Fprintf(h, "%q %q %v\n", e.Name, e.Text.String(), e.Edits)
	}
	return hex.EncodeToString(h.Sum(nil))
}
