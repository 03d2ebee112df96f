package debugger

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// A hitCondition says at which of its hits a breakpoint is due. The zero value says at each.
type hitCondition struct {
	op string
	n  int
}

// parseHitCondition reads what a client wrote.
func parseHitCondition(text string) (hitCondition, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return hitCondition{}, nil
	}
	op := text[:len(text)-len(strings.TrimLeft(text, "=<>%!"))]
	n, err := strconv.Atoi(strings.TrimSpace(text[len(op):]))
	if err != nil || n < 0 || op == "%" && n == 0 {
		return hitCondition{}, fmt.Errorf("%q is not a count, want such as 3, >=3 or %%3", text)
	}
	switch op {
	case "", "=", "==":
		return hitCondition{"==", n}, nil
	case "!=", "<", "<=", ">", ">=", "%":
		return hitCondition{op, n}, nil
	}
	return hitCondition{}, fmt.Errorf("operator %q is unknown, want ==, !=, <, <=, >, >= or %%", op)
}

// due reports whether it is time at the given hit, counted from one.
func (h hitCondition) due(hit int) bool {
	switch h.op {
	case "==":
		return hit == h.n
	case "!=":
		return hit != h.n
	case "<":
		return hit < h.n
	case "<=":
		return hit <= h.n
	case ">":
		return hit > h.n
	case ">=":
		return hit >= h.n
	case "%":
		return hit%h.n == 0
	}
	return true
}

// A segment of a log message is text, or an expression if value is set.
type segment struct {
	text  string
	value *expression
}

// parseMessage reads a log message.
func parseMessage(message string) ([]segment, error) {
	var segments []segment
	var text strings.Builder
	for i := 0; i < len(message); i++ {
		c := message[i]
		switch {
		case (c == '{' || c == '}') && strings.HasPrefix(message[i+1:], string(c)):
			text.WriteByte(c)
			i++
		case c == '{':
			value, length, err := parseBraces(message[i+1:])
			if err != nil {
				return nil, err
			}
			segments = append(segments, segment{text: text.String()}, segment{value: value})
			text.Reset()
			i += length + 1
		default:
			text.WriteByte(c)
		}
	}
	return append(segments, segment{text: text.String()}), nil
}

// parseBraces reads an expression up to its closing brace: the first at which the text before it
// is one, so that braces of dicts and in strings do no harm.
func parseBraces(rest string) (value *expression, length int, err error) {
	for end := range len(rest) {
		if rest[end] != '}' {
			continue
		}
		var failed error
		if value, failed = newExpression(rest[:end]); failed == nil {
			return value, end, nil
		}
		if err == nil {
			err = failed
		}
	}
	if err == nil {
		err = fmt.Errorf("no closing brace after %q", "{"+rest)
	}
	return nil, 0, err
}

// due returns the ids of the breakpoints at a statement that stop the program now, and whether all
// of them are function breakpoints. Those that only log have logged when it returns.
func (e *execution) due(p *probe) (ids []int, functions bool) {
	points := p.points.Load()
	if points == nil {
		return nil, false
	}
	f := (&stopped{exec: e, hidden: 1, pos: p.stmt.pos}).frame(0)
	functions = true
	for _, bp := range *points {
		if !e.holds(bp, f) {
			continue
		}
		if bp.hits++; !bp.hit.due(bp.hits) {
			continue
		}
		if bp.message != nil {
			e.log(bp, f)
			continue
		}
		ids = append(ids, bp.id)
		functions = functions && bp.function != ""
	}
	return ids, functions
}

// holds reports whether the condition of a breakpoint is true in the frame.
func (e *execution) holds(bp *breakpoint, f *frame) bool {
	if bp.when == nil {
		return true
	}
	v, err := e.condition(bp.when, f)
	if err != nil {
		e.warn(bp, f, "condition", err)
		return false
	}
	return bool(v.Truth())
}

// log says the message of a log point.
func (e *execution) log(bp *breakpoint, f *frame) {
	var text strings.Builder
	for _, part := range bp.message {
		text.WriteString(part.text)
		if part.value == nil {
			continue
		}
		v, err := e.condition(part.value, f)
		if err != nil {
			e.warn(bp, f, "log message", err)
			fmt.Fprintf(&text, "{%s}", part.value.src)
			continue
		}
		if s, ok := starlark.AsString(v); ok {
			text.WriteString(s)
		} else {
			text.WriteString(preview(v, maxLogged))
		}
	}
	text.WriteByte('\n')
	e.say(output(Console, text.String(), f))
}

// maxLogged is how many bytes of a value a log point says.
const maxLogged = 4096

// warn tells the user, once, that a breakpoint does not work.
func (e *execution) warn(bp *breakpoint, f *frame, what string, err error) {
	if bp.warned || e.ctx.Err() != nil {
		return
	}
	bp.warned = true
	text := fmt.Sprintf("breakpoint at %s:%d: %s: %v\n",
		filepath.Base(f.pos.Filename()), f.pos.Line, what, err)
	e.say(output(Important, text, f))
}

func output(c Category, text string, f *frame) Output {
	return Output{c, text, f.pos.Filename(), int(f.pos.Line), int(f.pos.Col)}
}

// condition evaluates an expression of a breakpoint on the program's goroutine.
func (e *execution) condition(x *expression, f *frame) (v starlark.Value, err error) {
	if e.conditions == nil {
		e.conditions = e.scratch("condition", e.print)
		context.AfterFunc(e.ctx, func() { e.conditions.Cancel("terminated") })
	}
	e.conditions.Steps = 0
	if e.ctx.Err() == nil {
		e.conditions.Uncancel()
	}
	e.conditions.SetMaxExecutionSteps(conditionSteps)
	err = contain(func() error { v, err = x.eval(e.conditions, f); return err })
	return v, err
}

// conditionSteps is how many steps of the interpreter a condition may take: some milliseconds.
const conditionSteps = 500_000
