package debugger

import (
	"fmt"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarktest"
	"go.starlark.net/syntax"
)

// A tracer finds out in another way which statements a program executes: it puts a call of a
// visible function, trace(LINE, COLUMN), before each of them.
type tracer struct{ seen []string }

func (tr *tracer) weave(stmts []syntax.Stmt, body bool) []syntax.Stmt {
	var woven []syntax.Stmt
	for i, stmt := range stmts {
		if !(i == 0 && body && isDocstring(stmt)) {
			woven = append(woven, traceCall(syntax.Start(stmt)))
		}
		woven = append(woven, stmt)
		switch s := stmt.(type) {
		case *syntax.DefStmt:
			s.Body = tr.weave(s.Body, true)
		case *syntax.IfStmt:
			s.True, s.False = tr.weave(s.True, false), tr.weave(s.False, false)
		case *syntax.ForStmt:
			s.Body = tr.weave(s.Body, false)
		case *syntax.WhileStmt:
			s.Body = tr.weave(s.Body, false)
		}
	}
	return woven
}

func traceCall(pos syntax.Position) syntax.Stmt {
	number := func(n int32) syntax.Expr {
		return &syntax.Literal{Token: syntax.INT, TokenPos: pos, Value: int64(n)}
	}
	return &syntax.ExprStmt{X: &syntax.CallExpr{
		Fn:   &syntax.Ident{Name: "trace", NamePos: pos},
		Args: []syntax.Expr{number(pos.Line), number(pos.Col)},
	}}
}

func (tr *tracer) trace(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
	_ []starlark.Tuple,
) (starlark.Value, error) {
	tr.seen = append(tr.seen, fmt.Sprintf("%v:%v", args[0], args[1]))
	return starlark.None, nil
}

// Stepping in visits each executed statement once, in order.
func TestStepsVisitEachStatement(t *testing.T) {
	for _, c := range chunks(t) {
		file, err := c.options.Parse("main.star", c.text, 0)
		if err != nil {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			tr := new(tracer)
			env := predeclared()
			env["trace"] = starlark.NewBuiltin("trace", tr.trace)
			env["args"] = starlark.NewList(nil)
			file.Stmts = tr.weave(file.Stmts, true)
			program, err := starlark.FileProgram(file, env.Has)
			if err != nil {
				t.Skipf("not a program: %v", err)
			}
			thread := &starlark.Thread{Load: modules, Print: func(*starlark.Thread, string) {}}
			starlarktest.SetReporter(thread, new(report))
			_, _ = program.Init(thread, env)

			_, stops := c.debugged(t, true)
			for i := range max(len(stops), len(tr.seen)) {
				switch {
				case i == len(stops):
					t.Fatalf("stop %d is missing, want %s", i, tr.seen[i])
				case i == len(tr.seen):
					t.Fatalf("stop %d at %s is one too many", i, stops[i].place())
				}
				got := fmt.Sprintf("%d:%d", stops[i].Line, stops[i].Column)
				if got != tr.seen[i] {
					t.Fatalf("stop %d at %s, want %s", i, got, tr.seen[i])
				}
			}
		})
	}
}
