package debugger

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A statement is a place where the program can stop: just before it runs.
type statement struct {
	node syntax.Stmt
	pos  syntax.Position
	// function is the name of the enclosing def, or empty at the top level of the file.
	function string
	// entry tells that a call of the function (or the run of the file) begins with this statement.
	entry bool
	// def and question are set for the first statement of a def: its position, and the name in
	// the hook's condition, which is the first instruction of the function.
	def      syntax.Position
	question *syntax.Ident
	// cost is how many steps of the interpreter the probe adds each time this statement is reached.
	cost uint64
}

// A layout is the parsed text of a file, with a probe before each statement and the list of these
// statements. It is immutable until it is compiled, which may be done once.
type layout struct {
	path, text string
	lines      []string
	options    *syntax.FileOptions
	file       *syntax.File
	// stmts are in the order of the text. The probe of stmts[i] is named i in decimal.
	stmts []*statement
	// loads are the names that load statements bind.
	loads map[string]loadedName
	// comprehensions maps where a variable of a comprehension is bound to where it means something:
	// outside of that it does not, though the interpreter keeps its value.
	comprehensions map[place]extents
}

// A loadedName is a name of another module.
type loadedName struct{ module, name string }

// A place is a position without its file.
type place struct{ line, col int32 }

// An extent is the text from first up to and including last.
type extent struct{ first, last place }

func placeOf(p syntax.Position) place { return place{p.Line, p.Col} }

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.line, q.line), cmp.Compare(p.col, q.col))
}

func (e extent) contains(p place) bool {
	return e.first.compare(p) <= 0 && p.compare(e.last) <= 0
}

// newlines makes the line ends the parser knows one.
var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// maxText is how many bytes a file may have, and maxDepth how deep its syntax may be. The parser
// bounds how deep expressions nest, but not chains such as x.y.y.y and those of elif. Their length
// is the depth of the recursions that follow, which would exhaust the stack, and the interpreter
// takes a time that grows with its square.
const (
	maxText  = 2 << 20
	maxDepth = 10_000
)

// bom is the byte order mark that some editors begin files with. Neither the language nor what
// clients count as columns knows it.
const bom = "\uFEFF"

// parse reads text and puts the probes in.
func parse(path, text string, options *syntax.FileOptions) (*layout, error) {
	text = strings.TrimPrefix(text, bom)
	if len(text) > maxText {
		return nil, fmt.Errorf("%s has %d bytes, more than the %d that can be debugged",
			path, len(text), maxText)
	}
	file, err := options.Parse(path, text, 0)
	if err != nil {
		return nil, err
	}
	if n := tooDeep(file); n != nil {
		const msg = "the statement is nested too deeply to be run"
		return nil, syntax.Error{Pos: syntax.Start(n), Msg: msg}
	}
	l := &layout{path: path, text: text, options: options, file: file}
	l.lines = strings.Split(newlines.Replace(text), "\n")
	l.comprehensions = comprehensions(file)
	l.loads = loads(file)

	// The hooks are if statements, and some of them stand at the top level. Whether the program's
	// own may stand there was the question of compile, which asks it of the text as it is.
	relaxed := *options
	relaxed.TopLevelControl = true
	file.Options = &relaxed
	file.Stmts = l.weave(file.Stmts, nil, true)
	return l, nil
}

// tooDeep returns a node that is deeper in the file than may be, or nil.
func tooDeep(file *syntax.File) (found syntax.Node) {
	depth := 0
	syntax.Walk(file, func(n syntax.Node) bool {
		switch {
		case n == nil:
			depth--
			return false
		case depth == maxDepth:
			found = n
			return false
		}
		depth++
		return true
	})
	return found
}

// loads finds the names that load statements bind, which stand at the top level.
func loads(file *syntax.File) map[string]loadedName {
	found := make(map[string]loadedName)
	for _, stmt := range file.Stmts {
		load, ok := stmt.(*syntax.LoadStmt)
		if !ok {
			continue
		}
		for i, from := range load.From {
			found[load.To[i].Name] = loadedName{load.ModuleName(), from.Name}
		}
	}
	return found
}

// weave returns the statements of a block with a hook before each, and notes them in l. The block
// is in the function def (nil: at the top level); body tells that it is all of its body. A block
// that is not there, such as the one of a missing else, has to stay nil: where an if statement ends
// is asked of its last block.
func (l *layout) weave(block []syntax.Stmt, def *syntax.DefStmt, body bool) []syntax.Stmt {
	if block == nil {
		return nil
	}
	woven := make([]syntax.Stmt, 0, 2*len(block))
	if body && len(block) > 0 && isDocstring(block[0]) {
		// A docstring is one only if nothing stands before it.
		woven, block = append(woven, block[0]), block[1:]
	}
	for i, stmt := range block {
		s := &statement{node: stmt, pos: syntax.Start(stmt), entry: body && i == 0, cost: 2}
		woven = append(woven, l.hook(s, def), stmt)
		l.stmts = append(l.stmts, s)
		l.descend(s, def)
	}
	return woven
}

// descend weaves the blocks inside a statement.
func (l *layout) descend(s *statement, def *syntax.DefStmt) {
	switch n := s.node.(type) {
	case *syntax.DefStmt:
		outside := len(l.stmts)
		n.Body = l.weave(n.Body, n, true)
		// Each probe inside is a free variable, which the def statement has to collect.
		s.cost += uint64(len(l.stmts) - outside)
	case *syntax.ForStmt:
		n.Body = l.weave(n.Body, def, false)
	case *syntax.WhileStmt:
		n.Body = l.weave(n.Body, def, false)
	case *syntax.IfStmt:
		n.True = l.weave(n.True, def, false)
		n.False = l.weave(n.False, def, false)
	}
}

func isDocstring(stmt syntax.Stmt) bool {
	expr, ok := stmt.(*syntax.ExprStmt)
	if !ok {
		return false
	}
	lit, ok := expr.X.(*syntax.Literal)
	return ok && lit.Token == syntax.STRING
}

// hook returns the statement "if not PROBE: PROBE()". It has no positions, and so leaves the
// program's table of positions as it is.
//
// The negation makes the quiet case a jump that is taken: the compiler pads the operand of a jump
// with instructions that do nothing and that only a jump not taken runs through.
func (l *layout) hook(s *statement, def *syntax.DefStmt) syntax.Stmt {
	name := strconv.Itoa(len(l.stmts))
	probe := &syntax.Ident{Name: name}
	if def != nil {
		s.function = def.Name.Name
	}
	if def != nil && s.entry {
		s.def, s.question = def.Def, probe
	}
	call := &syntax.CallExpr{Fn: &syntax.Ident{Name: name}}
	return &syntax.IfStmt{
		Cond: &syntax.UnaryExpr{Op: syntax.NOT, X: probe},
		True: []syntax.Stmt{&syntax.ExprStmt{X: call}},
	}
}

// compile returns the program with its probes bound by a load statement of their own, which runs
// before everything else. The errors, and whatever else can be told from outside, are those of the
// text as it is with the names of plain predeclared; the program finds the names of env.
func (l *layout) compile(plain, env starlark.StringDict) (*starlark.Program, error) {
	file, program, err := l.compilePlain(plain)
	if err != nil || len(l.stmts) == 0 {
		return program, err
	}
	first := firstPositions(file)
	for _, s := range l.stmts {
		if s.question != nil {
			s.question.NamePos = first[placeOf(s.def)]
		}
	}
	at := 0
	if isDocstring(l.file.Stmts[0]) {
		at = 1
	}
	l.file.Stmts = slices.Insert(l.file.Stmts, at, l.bind())
	return starlark.FileProgram(l.file, env.Has)
}

// maxUnknown is how many unknown names the interpreter may tell of.
const maxUnknown = 20

// compilePlain returns the program without probes. The interpreter compares each unknown name with
// all others of the file, which takes hours if both are many. So it is told, once it has asked for
// enough of them, that all are known: the program does not run anyway.
func (l *layout) compilePlain(predeclared starlark.StringDict) (
	*syntax.File, *starlark.Program, error,
) {
	unknown := 0
	known := func(name string) bool {
		if !predeclared.Has(name) && !starlark.Universe.Has(name) {
			unknown++
		}
		return predeclared.Has(name) || unknown > maxUnknown
	}
	return starlark.SourceProgramOptions(l.options, l.path, l.text, known)
}

// bind returns the load statement that binds the probes to their names. Variables bound by a load
// belong to the file: they are neither globals, nor can another file load them.
func (l *layout) bind() syntax.Stmt {
	pos := l.stmts[0].pos
	load := &syntax.LoadStmt{
		Load:   pos,
		Module: &syntax.Literal{Token: syntax.STRING, TokenPos: pos, Value: ""},
		Rparen: pos,
	}
	for i := range l.stmts {
		name := strconv.Itoa(i)
		load.From = append(load.From, &syntax.Ident{Name: name, NamePos: pos})
		load.To = append(load.To, &syntax.Ident{Name: name, NamePos: pos})
	}
	return load
}

// bindCost is how many steps the statement of bind takes.
func (l *layout) bindCost() uint64 { return 2*uint64(len(l.stmts)) + 2 }

// next returns the first statement at or after the place, or nil.
func (l *layout) next(p place) *statement {
	i, _ := slices.BinarySearchFunc(l.stmts, p, func(s *statement, p place) int {
		return placeOf(s.pos).compare(p)
	})
	if i == len(l.stmts) {
		return nil
	}
	return l.stmts[i]
}

// within returns the statements that start in the extent.
func (l *layout) within(e extent) []*statement {
	var found []*statement
	for _, s := range l.stmts {
		if e.contains(placeOf(s.pos)) {
			found = append(found, s)
		}
	}
	return found
}

// at returns the innermost statement that holds the place, or nil.
func (l *layout) at(p place) *statement {
	var found *statement
	for _, s := range l.stmts {
		if placeOf(s.pos).compare(p) > 0 {
			break
		}
		if p.compare(placeOf(syntax.End(s.node))) <= 0 {
			found = s
		}
	}
	return found
}
