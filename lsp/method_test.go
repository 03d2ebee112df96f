package lsp

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"triplex/host"
)

// described is every descriptor of this package.
var described = []any{
	Initialize, Initialized, Shutdown, Exit, SetTrace, LogTrace, CancelRequest, Progress,
	RegisterCapability, UnregisterCapability, DidOpen, DidChange, DidClose, WillSave,
	WillSaveWaitUntil, DidSave, DidOpenNotebookDocument, DidChangeNotebookDocument,
	DidSaveNotebookDocument, DidCloseNotebookDocument, Declaration, Definition,
	TypeDefinition, Implementation, References, DocumentHighlight, DocumentSymbol, Moniker,
	PrepareCallHierarchy, IncomingCalls, OutgoingCalls, PrepareTypeHierarchy, Supertypes,
	Subtypes, DocumentLink, DocumentLinkResolve, Hover, SignatureHelp, CodeLens,
	CodeLensResolve, CodeLensRefresh, FoldingRanges, FoldingRangeRefresh, SelectionRange,
	SemanticTokensFull, SemanticTokensFullDelta, SemanticTokensRange, SemanticTokensRefresh,
	InlineValue, InlineValueRefresh, InlayHint, InlayHintResolve, InlayHintRefresh,
	DocumentColor, ColorPresentation, PublishDiagnostics, Diagnostic, DiagnosticWorkspace,
	DiagnosticRefresh, Completion, CompletionResolve, InlineCompletion, CodeAction,
	CodeActionResolve, Formatting, RangeFormatting, RangesFormatting, OnTypeFormatting,
	Rename, PrepareRename, LinkedEditingRange, Symbols, WorkspaceSymbolResolve, Configuration,
	DidChangeConfiguration, WorkspaceFolders, DidChangeWorkspaceFolders, WillCreateFiles,
	DidCreateFiles, WillRenameFiles, DidRenameFiles, WillDeleteFiles, DidDeleteFiles,
	DidChangeWatchedFiles, ExecuteCommand, ApplyEdit, TextDocumentContent,
	TextDocumentContentRefresh, ShowMessage, ShowMessageRequest, LogMessage, ShowDocument,
	WorkDoneProgressCreate, WorkDoneProgressCancel, Telemetry,
}

// signature is what a descriptor says of its method, in the words of protocol.Methods.
type signature struct{ method, kind, params, result string }

func signatureOf(descriptor any) signature {
	v := reflect.ValueOf(descriptor)
	s := signature{method: v.FieldByName("Method").String(), kind: "notification"}
	send := v.MethodByName("Send")
	if call := v.MethodByName("Call"); call.IsValid() {
		s.kind, s.result = "request", typeName(call.Type().Out(0))
		send = call
	}
	s.params = typeName(send.Type().In(2))
	return s
}

func typeName(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[host.NoParams]():
		return ""
	case t == reflect.TypeFor[protocol.LSPAny]():
		return "LSPAny"
	case t.Kind() == reflect.Slice:
		return "[]" + typeName(t.Elem())
	case t.Kind() == reflect.Pointer:
		return typeName(t.Elem())
	}
	return t.Name()
}

func TestDescriptorsAreThoseOfTheProtocol(t *testing.T) {
	want := map[string]signature{}
	for _, m := range protocol.Methods {
		want[m.Method] = signature{m.Method, m.Kind, m.ParamsType, m.ResultType}
	}
	for _, d := range described {
		got := signatureOf(d)
		if got != want[got.method] {
			t.Errorf("descriptor is %+v\nprotocol has %+v", got, want[got.method])
		}
		delete(want, got.method)
	}
	for method := range want {
		t.Errorf("there is no descriptor of %s", method)
	}
}

// metaModel is the part of the protocol's meta model that the tests compare with.
type metaModel struct {
	Requests, Notifications []metaMethod
}

type metaMethod struct {
	Method              string
	MessageDirection    string
	Params, Result      *metaType
	RegistrationMethod  string
	RegistrationOptions *metaType
	ClientCapability    string
	ServerCapability    string
}

type metaType struct {
	Kind, Name string
	Items      []metaType
	Element    *metaType
}

// name returns the Go name of the type, "" where the protocol package makes up its own one.
func (m *metaType) name() string {
	switch {
	case m == nil:
		return ""
	case m.Kind == "reference" && m.Name != "PrepareRenameResult":
		return m.Name
	case m.Kind == "base" && m.Name == "null":
		return "LSPAny"
	case m.Kind == "array" && m.Element.name() != "":
		return "[]" + m.Element.name()
	case m.Kind == "or" && len(m.Items) == 2 && m.Items[1].Name == "null":
		return m.Items[0].name()
	}
	return ""
}

func readMetaModel(t *testing.T) metaModel {
	t.Helper()
	raw, err := os.ReadFile("../../shared/schemas/lsp-metaModel-3.18.json")
	if err != nil {
		t.Skip("the meta model is not here:", err)
	}
	var m metaModel
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestDescriptorsAreThoseOfTheMetaModel(t *testing.T) {
	model := readMetaModel(t)
	if len(model.Requests) != 69 || len(model.Notifications) != 26 {
		t.Fatalf("the model has %d requests and %d notifications, expected 69 and 26",
			len(model.Requests), len(model.Notifications))
	}
	ours := map[string]signature{}
	for _, d := range described {
		s := signatureOf(d)
		ours[s.method] = s
	}
	check := func(m metaMethod, kind string) {
		got := ours[m.Method]
		if got.kind != kind || got.params != m.Params.name() {
			t.Errorf("%s: descriptor is %+v, the model's params are %q",
				m.Method, got, m.Params.name())
		}
		if want := m.Result.name(); want != "" && got.result != want {
			t.Errorf("%s: descriptor is %+v, the model's result is %q", m.Method, got, want)
		}
	}
	for _, m := range model.Requests {
		check(m, "request")
	}
	for _, m := range model.Notifications {
		check(m, "notification")
	}
}

func TestRegistrableMethodsAreThoseOfTheMetaModel(t *testing.T) {
	model := readMetaModel(t)
	want := map[string]bool{protocol.MethodWorkspaceDidChangeWorkspaceFolders: true}
	for _, m := range append(model.Requests, model.Notifications...) {
		if m.RegistrationOptions == nil || m.Method == "textDocument/rangesFormatting" {
			continue // ranges come with an option of rangeFormatting
		}
		name := m.Method
		if m.RegistrationMethod != "" {
			name = m.RegistrationMethod
		}
		want[name] = true
		at := registrable[name]
		if !strings.HasPrefix(m.ClientCapability+".", strings.TrimSuffix(at.client,
			"dynamicRegistration")) && m.ClientCapability != "" {
			t.Errorf("%s: client capability %s, the model has %s", name, at.client, m.ClientCapability)
		}
		if !strings.HasPrefix(m.ServerCapability, at.server) && m.ServerCapability != "" {
			t.Errorf("%s: server capability %s, the model has %s", name, at.server, m.ServerCapability)
		}
	}
	for name := range want {
		if _, ok := registrable[name]; !ok {
			t.Errorf("%s cannot be registered", name)
		}
	}
	for name := range registrable {
		if !want[name] {
			t.Errorf("%s can be registered, but is not in the model", name)
		}
	}
}

// Whatever the client can be asked, the server has a capability to say so.
func TestEveryServerCapabilityFollowsFromItsMethod(t *testing.T) {
	byHand := map[string]string{
		"workspace/executeCommand":       "the commands are the plug-in's",
		"textDocument/onTypeFormatting":  "the characters are the plug-in's",
		"workspace/textDocumentContent":  "the schemes are the plug-in's",
		"textDocument/colorPresentation": "it comes with textDocument/documentColor",
		"workspace/workspaceFolders":     "the server asks for it",
	}
	mirrored := map[string]bool{}
	for _, m := range mirror.Methods() {
		mirrored[m] = true
	}
	model := readMetaModel(t)
	for _, m := range append(model.Requests, model.Notifications...) {
		if m.ServerCapability == "" || byHand[m.Method] != "" || mirrored[m.Method] {
			continue
		}
		f := provides[m.Method]
		if f == nil {
			if !strings.HasPrefix(m.Method, "callHierarchy/") {
				t.Errorf("nothing follows from a handler of %s", m.Method)
			}
			continue
		}
		var c protocol.ServerCapabilities
		f(&c)
		raw, err := protocol.Marshal(&c)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := host.Member(raw, strings.Split(m.ServerCapability, ".")...); !ok {
			t.Errorf("a handler of %s announces %s, expected %s", m.Method, raw, m.ServerCapability)
		}
	}
}
