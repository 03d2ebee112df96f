package workspace

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bazelbuild/buildtools/build"
	"github.com/bazelbuild/buildtools/warn"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// generalLints are the checks of buildtools that make sense for any Starlark file and that
// [File.Problems] does not make itself.
var generalLints = []string{
	"confusing-name", "dict-concatenation", "integer-division", "list-append", "no-effect",
	"return-value", "uninitialized",
}

// ownLints are the checks of buildtools that [File.Problems] makes itself.
var ownLints = []string{"load", "unreachable", "unused-variable"}

// maxFindings is how many findings of one check are kept.
const maxFindings = 250

// Lint returns what buildtools finds questionable in the file, as warnings: all that is on by
// default for Bazel's files, and for others what does not depend on Bazel, at most 250 of a kind.
// When the context ends it stops after the check in hand and fails. A file whose syntax is not
// valid has no such problems.
func (f *File) Lint(ctx context.Context) ([]Problem, error) {
	if f.sound() != nil {
		return nil, nil
	}
	content, bom := strings.CutPrefix(f.text.String(), source.BOM)
	shift := 0
	if bom {
		shift = len(source.BOM)
	}
	file, err := build.Parse(filepath.Base(f.key), []byte(content))
	if err != nil {
		return nil, nil
	}
	checks := generalLints
	if file.Type != build.TypeDefault {
		checks = warn.DefaultWarnings
	}
	l := linter{file: file, disables: strings.Contains(strings.ToLower(content), "disable")}
	var list []Problem
	for _, check := range checks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if slices.Contains(ownLints, check) {
			continue
		}
		found, err := l.run(ctx, check)
		if err != nil {
			return nil, err
		}
		for _, w := range found {
			span := source.Span{Start: w.Start.Byte + shift, End: w.End.Byte + shift}
			span.End = min(span.End, f.text.LineSpan(f.text.LineOf(span.Start)).End)
			span.End = max(span.End, span.Start)
			list = append(list, Problem{
				Code: check, Severity: Warning, Span: span, Msg: w.Message,
			})
		}
	}
	slices.SortStableFunc(list, func(a, b Problem) int { return a.Span.Start - b.Span.Start })
	return list, nil
}

// A linter makes the checks of a file.
type linter struct {
	file     *build.File
	disables bool // a comment may disable checks
}

// run makes one check. It stands in for warn.FileWarnings, which for each finding walks all of the
// file for a comment that disables the check. Some panic on code that Bazel would not accept.
func (l linter) run(ctx context.Context, check string) (found []*warn.LinterFinding, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the check %s cannot handle this file: %v", check, p)
		}
	}()
	for _, w := range l.findings(check) {
		if ctx.Err() != nil || len(found) == maxFindings {
			break
		}
		if !l.disables || !warn.DisabledWarning(l.file, w.Start.Line, check) {
			found = append(found, w)
		}
	}
	return found, ctx.Err()
}

func (l linter) findings(check string) []*warn.LinterFinding {
	if fn, ok := warn.FileWarningMap[check]; ok {
		return fn(l.file)
	}
	if fn, ok := warn.MultiFileWarningMap[check]; ok {
		return fn(l.file, nil)
	}
	return nil
}
