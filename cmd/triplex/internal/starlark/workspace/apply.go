package workspace

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
)

// Edited sets how the texts of the view are edited on behalf of others: by the editor that the view
// belongs to, which says what the edits are about to its user. The names are as the view spells
// them. The function is called without locks; its edits may touch files that are not open, too.
func (v *View) Edited(edit func(ctx context.Context, label string, edits []FileEdit) error) {
	v.w.mu.Lock()
	defer v.w.mu.Unlock()
	v.edit = edit
}

// ErrChanged is wrapped by the error of [Workspace.Apply] for edits of a text that has changed.
var ErrChanged = errors.New("the text has changed meanwhile")

// Apply has the editors that have files open make edits: each gets those of the texts that it
// changed last, and the one with the first of these the files that nobody has open, too. It reports
// false, without an error, if no editor has any of the files open.
func (w *Workspace) Apply(ctx context.Context, label string, edits []FileEdit) (bool, error) {
	var first *View
	parts := make(map[*View][]FileEdit)
	var closed []FileEdit
	for _, e := range edits {
		o := w.lastOverlay(canonical(e.Name))
		if o == nil {
			closed = append(closed, e)
			continue
		}
		if o.text().String() != e.Text.String() {
			return false, fmt.Errorf("%s: %w", filepath.Base(e.Name), ErrChanged)
		}
		if first == nil {
			first = o.view
		}
		e.Name = o.name
		parts[o.view] = append(parts[o.view], e)
	}
	if first == nil {
		return false, nil
	}
	for _, e := range closed {
		e.Name = first.spell(first.settings(), canonical(e.Name))
		parts[first] = append(parts[first], e)
	}
	return true, w.hand(ctx, label, first, parts)
}

// hand gives each view its part, the first one first. It stops at the first failure.
func (w *Workspace) hand(
	ctx context.Context, label string, first *View, parts map[*View][]FileEdit,
) error {
	order := []*View{first}
	for v := range parts {
		if v != first {
			order = append(order, v)
		}
	}
	for _, v := range order {
		w.mu.Lock()
		edit := v.edit
		w.mu.Unlock()
		if edit == nil {
			return fmt.Errorf("%s: %w", parts[v][0].Name, errors.ErrUnsupported)
		}
		if err := edit(ctx, label, parts[v]); err != nil {
			return err
		}
	}
	return nil
}
