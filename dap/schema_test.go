package dap

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const schemaPath = "../../shared/schemas/dap-1.71.json"

// schema is a JSON schema as far as that of the protocol goes.
type schema struct {
	Ref         string             `json:"$ref"`
	Type        any                `json:"type"`
	Enum        []string           `json:"enum"`
	OpenEnum    []string           `json:"_enum"`
	Properties  map[string]*schema `json:"properties"`
	Required    []string           `json:"required"`
	Items       *schema            `json:"items"`
	AllOf       []*schema          `json:"allOf"`
	OneOf       []*schema          `json:"oneOf"`
	Definitions map[string]*schema `json:"definitions"`
}

func readSchema(t *testing.T) *schema {
	t.Helper()
	data, err := os.ReadFile(schemaPath)
	if os.IsNotExist(err) {
		t.Skip("the protocol's schema is not here: ", schemaPath)
	}
	s := new(schema)
	if err == nil {
		err = json.Unmarshal(data, s)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// own is the part of a definition that is not its base's.
func (s *schema) own() *schema {
	if len(s.AllOf) == 2 {
		return s.AllOf[1]
	}
	return s
}

func (s *schema) base() string {
	if len(s.AllOf) == 2 {
		return refName(s.AllOf[0].Ref)
	}
	return ""
}

func (s *schema) enum() []string { return append(slices.Clone(s.Enum), s.OpenEnum...) }

func refName(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

// TestSchema holds every definition of the schema against the Go types and descriptors.
func TestSchema(t *testing.T) {
	s := readSchema(t)
	c := &comparison{T: t, schema: s, constants: constants(t), done: map[string]bool{}}
	for name, def := range s.Definitions {
		switch def.base() {
		case "Request":
			c.request(name, def.own())
		case "Event":
			c.event(name, def.own())
		}
	}
	failed := s.Definitions["ErrorResponse"].own().Properties["body"]
	c.object("ErrorResponse", failed, reflect.TypeFor[errorBody]())
	for name, def := range s.Definitions {
		switch {
		case c.done[name], envelopeDefinitions[name], def.base() == "Response", def.base() == "Event":
		case def.base() == "Request", strings.HasSuffix(name, "Arguments") && len(def.Properties) == 0:
		default:
			t.Errorf("nothing sent or received holds a %s", name)
		}
	}
	if got, want := len(descriptors), 43+2+17; got != want {
		t.Errorf("%d descriptors, the schema has %d", got, want)
	}
}

var envelopeDefinitions = map[string]bool{
	"ProtocolMessage": true, "Request": true, "Event": true, "Response": true,
}

// goNames are the definitions whose Go names differ.
var goNames = map[string]string{"Message": "Error"}

type comparison struct {
	*testing.T
	schema    *schema
	constants map[string][]string // by the type's name
	done      map[string]bool
}

func (c *comparison) request(name string, def *schema) {
	command := def.Properties["command"].Enum[0]
	d, ok := descriptors[command]
	if !ok || d.event {
		c.Errorf("request %s has no descriptor", command)
		return
	}
	if args := def.Properties["arguments"]; args != nil && args.Ref != "" {
		c.value(name, args, d.params, true)
	} else if d.params != reflect.TypeFor[Empty]() {
		c.Errorf("%s has arguments", name)
	}
	response := c.schema.Definitions[strings.TrimSuffix(name, "Request")+"Response"].own()
	c.body(command, response, d.result)
}

func (c *comparison) event(name string, def *schema) {
	event := def.Properties["event"].Enum[0]
	d, ok := descriptors[event]
	if !ok || !d.event {
		c.Errorf("event %s has no descriptor", event)
		return
	}
	c.body(event, def, d.params)
}

func (c *comparison) body(name string, def *schema, body reflect.Type) {
	s := def.Properties["body"]
	switch {
	case s == nil && body != reflect.TypeFor[Empty]():
		c.Errorf("%s has a body", name)
	case s != nil && s.Ref != "":
		c.value(name, s, body, true)
	case s != nil:
		c.object(body.Elem().Name(), s, body.Elem())
	}
}

// object compares an object's members with a struct's fields.
func (c *comparison) object(name string, s *schema, t reflect.Type) {
	if t.Kind() != reflect.Struct {
		c.Errorf("%s is a %s", name, t)
		return
	}
	rest := maps.Clone(s.Properties)
	if base := s.base(); base != "" {
		c.done[base] = true
		rest = maps.Clone(c.schema.Definitions[base].Properties)
		maps.Copy(rest, s.own().Properties)
	}
	if f, ok := t.FieldByName("Extra"); !ok || !f.Anonymous {
		c.Errorf("%s has no Extra", t)
	}
	for f := range t.Fields() {
		if f.Name == "Extra" {
			continue
		}
		member, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		property := rest[member]
		if property == nil {
			c.Errorf("%s.%s: the schema has no %q", name, f.Name, member)
			continue
		}
		delete(rest, member)
		required := slices.Contains(s.Required, member)
		if required == (options == "omitzero") {
			c.Errorf("%s.%s: required is %v, its options are %q", name, f.Name, required, options)
		}
		c.value(name+"."+member, property, f.Type, required)
	}
	for member := range rest {
		c.Errorf("%s has no field for %q", t, member)
	}
}

// value compares a schema with the type of a field. Optional scalars and objects are pointers.
func (c *comparison) value(where string, s *schema, t reflect.Type, required bool) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	} else if !required && t.Kind() != reflect.Slice && t.Kind() != reflect.Map {
		c.Errorf("%s: optional, but its type is %s", where, t)
	}
	switch {
	case s.Ref != "":
		c.reference(where, s, t)
	case s.OneOf != nil:
		c.is(where, t, reflect.TypeFor[json.RawMessage]())
	case s.Type == "array":
		if t.Kind() != reflect.Slice {
			c.Errorf("%s is a %s", where, t)
			return
		}
		c.value(where+"[]", s.Items, t.Elem(), true)
	case s.Type == "object":
		c.kind(where, t, reflect.Map)
	case s.Type == "string":
		c.kind(where, t, reflect.String)
		c.constantsOf(where, s, t)
	case s.Type == "integer":
		c.kind(where, t, reflect.Int, reflect.Int64)
	case s.Type == "number":
		c.kind(where, t, reflect.Float64)
	case s.Type == "boolean":
		c.kind(where, t, reflect.Bool)
	default:
		c.union(where, s, t)
	}
}

func (c *comparison) reference(where string, s *schema, t reflect.Type) {
	name := refName(s.Ref)
	goName := name
	if renamed, ok := goNames[name]; ok {
		goName = renamed
	}
	if t.Name() != goName {
		c.Errorf("%s: %s, but its type is %s", where, name, t)
		return
	}
	if def := c.schema.Definitions[name]; !c.done[name] {
		c.done[name] = true
		if def.Type == "string" {
			c.constantsOf(where, def, t)
			return
		}
		c.object(name, def, t)
	}
}

func (c *comparison) union(where string, s *schema, t reflect.Type) {
	kinds := s.Type.([]any)
	switch {
	case len(kinds) > 2:
		c.is(where, t, reflect.TypeFor[json.RawMessage]())
	case slices.Contains(kinds, any("null")):
		c.is(where, t, reflect.TypeFor[string]())
	default:
		c.is(where, t, reflect.TypeFor[ModuleID]())
	}
}

func (c *comparison) is(where string, got, want reflect.Type) {
	if got != want {
		c.Errorf("%s is a %s, want %s", where, got, want)
	}
}

func (c *comparison) kind(where string, t reflect.Type, kinds ...reflect.Kind) {
	if !slices.Contains(kinds, t.Kind()) {
		c.Errorf("%s is a %s, want one of %v", where, t, kinds)
	}
}

// constantsOf compares an enumeration with the constants of its type.
func (c *comparison) constantsOf(where string, s *schema, t reflect.Type) {
	got, want := slices.Sorted(slices.Values(c.constants[t.Name()])), s.enum()
	if t == reflect.TypeFor[string]() {
		got = nil
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		c.Errorf("%s: the constants of %s are %q, want %q", where, t, got, want)
	}
}

// constants returns the values of the package's string constants by the names of their types.
func constants(t *testing.T) map[string][]string {
	t.Helper()
	byType := map[string][]string{}
	for _, path := range goFiles(t) {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			name, ok := spec.Type.(*ast.Ident)
			if !ok {
				return true
			}
			for _, v := range spec.Values {
				if lit, ok := v.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					s, _ := strconv.Unquote(lit.Value)
					byType[name.Name] = append(byType[name.Name], s)
				}
			}
			return true
		})
	}
	return byType
}

func goFiles(t *testing.T) []string {
	t.Helper()
	files, err := fs.Glob(os.DirFS("."), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(files, func(name string) bool {
		return strings.HasSuffix(name, "_test.go")
	})
}
