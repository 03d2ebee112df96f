package debugger

// unit returns the unit of a file that the program has loaded, or nil. It requires r.mu.
func (r *Run) unit(path string) *unit {
	if r.exec == nil {
		return nil
	}
	return r.exec.units[path]
}

// settle puts the breakpoints into a unit that has just been loaded. It requires r.mu.
func (r *Run) settle(u *unit) {
	r.move(u.layout.path, u.layout, nil)
	for _, bp := range r.points.functions {
		if !bp.status.Verified || bp.status.Path == u.layout.path {
			r.update(bp, bp.find([]*layout{u.layout}))
		}
	}
	r.attach(u)
}

// move verifies the breakpoints of a file anew. It requires r.mu.
func (r *Run) move(path string, l *layout, err error) {
	for _, bp := range r.points.lines[path] {
		r.update(bp, bp.place(path, l, err))
	}
}

// update tells the observers of a status that has changed. It requires r.mu.
func (r *Run) update(bp *breakpoint, status BreakpointStatus) {
	if status != bp.status {
		bp.status = status
		r.publish(BreakpointChanged{status})
	}
}

// attach gives each probe of a unit the breakpoints at its statement. It requires r.mu.
func (r *Run) attach(u *unit) {
	at := make(map[*statement][]*breakpoint)
	for _, bp := range r.points.lines[u.layout.path] {
		if bp.status.Verified {
			s := bp.statement(u.layout)
			at[s] = append(at[s], bp)
		}
	}
	for _, p := range u.probes {
		list := at[p.stmt]
		for _, bp := range r.points.functions {
			if p.stmt.entry && p.stmt.function == bp.function && bp.broken == "" {
				list = append(list, bp)
			}
		}
		if list == nil {
			p.points.Store(nil)
		} else {
			p.points.Store(&list)
		}
		p.arm(u.exec.attended)
	}
}

// statement returns the statement in the layout at which a line breakpoint is, or nil.
func (bp *breakpoint) statement(l *layout) *statement {
	return l.next(Location{bp.line.Line, bp.line.Column}.place())
}

// place returns the status of a line breakpoint in a file with the layout, or with an error
// instead of one.
func (bp *breakpoint) place(path string, l *layout, err error) BreakpointStatus {
	status := BreakpointStatus{
		ID:      bp.id,
		Path:    path,
		Line:    bp.line.Line,
		Column:  bp.line.Column,
		Message: bp.broken,
	}
	if err != nil {
		status.Message = err.Error()
		return status
	}
	s := bp.statement(l)
	switch {
	case s == nil:
		status.Message = "no statement at this line or below"
	case bp.broken == "":
		status.Verified = true
		fallthrough
	default:
		status.Line, status.Column = int(s.pos.Line), int(s.pos.Col)
	}
	return status
}

// find returns the status of a function breakpoint when the files with the layouts are known.
func (bp *breakpoint) find(known []*layout) BreakpointStatus {
	status := BreakpointStatus{ID: bp.id, Message: bp.broken}
	if bp.broken != "" {
		return status
	}
	for _, l := range known {
		for _, s := range l.stmts {
			if s.entry && s.function == bp.function {
				status.Verified, status.Path = true, l.path
				status.Line, status.Column = int(s.pos.Line), int(s.pos.Col)
				return status
			}
		}
	}
	status.Message = "no function " + bp.function + " in the files loaded so far"
	return status
}
