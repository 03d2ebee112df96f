package dap

import (
	"encoding/json"
	"fmt"
	"strconv"

	"triplex/host"
)

// Extra is what every type of the protocol embeds, so that it keeps the members it does not
// declare.
type Extra struct {
	// Unknown are those members, each as the JSON it was; nil if there are none.
	Unknown map[string]json.RawMessage `json:",embed"`
}

// Empty stands for arguments or a body that the protocol does not define. Whatever a peer sends
// there is accepted, and nothing is sent.
type Empty = host.NoParams

// Or returns what an optional member p holds, and the value its absence stands for if p is nil.
func Or[T any](p *T, absent T) T {
	if p == nil {
		return absent
	}
	return *p
}

// ModuleID identifies a module by a number or a string, whichever its adapter prefers. It holds
// the JSON of it, so ModuleIDs can be compared and serve as map keys. [ModuleNumber] and
// [ModuleName] make one.
type ModuleID string

// ModuleNumber returns the ModuleID for a number.
func ModuleNumber(n int) ModuleID { return ModuleID(strconv.Itoa(n)) }

// ModuleName returns the ModuleID for a string.
func ModuleName(s string) ModuleID { return ModuleID(appendText(nil, s)) }

// MarshalJSON implements json.Marshaler. The zero ModuleID is the empty string.
func (id ModuleID) MarshalJSON() ([]byte, error) {
	if id == "" {
		return []byte(`""`), nil
	}
	return []byte(id), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (id *ModuleID) UnmarshalJSON(data []byte) error {
	if c := data[0]; c != '"' && c != '-' && (c < '0' || c > '9') {
		return fmt.Errorf("a module id is a number or a string, not %.40s", data)
	}
	*id = ModuleID(data)
	return nil
}
