// Drives the Starlark language server with the library of VS Code's language clients.
//
//   node languageclient.js stdio FOLDER PROGRAM     spawns PROGRAM serve
//   node languageclient.js tcp FOLDER HOST:PORT     attaches four clients at the same time
//
// FOLDER is where it writes the files of a workspace. It exits 0 and prints "ok" if every check
// held.
'use strict';
const assert = require('node:assert');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const lsp = require('vscode-languageserver-protocol/node');

const [mode, folder, target] = process.argv.slice(2);

const library = `def copy(src, dst, mode = "0644"):
    """Copies a file.

    Args:
      src: where from.
    """
    return helper(src) + dst

def helper(x):
    return x
`;
const program = `load("lib.star", "copy")
load("lib.star", "helper")

def main(arg):
    for name in ["a", "b"]:
        copy(name, "x", mode = arg)
    return undefined_name

main( 1 )
`;
const uri = (name) => pathToFileURL(path.join(folder, name)).toString();
const main = uri('main.star');
const lib = uri('lib.star');
const textDocument = { uri: main };
const position = (line, character) => ({ line, character });
const range = (a, b, c, d) => ({ start: position(a, b), end: position(c, d) });
const at = (line, character) => ({ textDocument, position: position(line, character) });

const capabilities = {
  workspace: {
    applyEdit: true, workspaceEdit: { documentChanges: true }, configuration: true,
    workspaceFolders: true, didChangeConfiguration: { dynamicRegistration: true },
    didChangeWatchedFiles: { dynamicRegistration: true },
  },
  textDocument: {
    hover: { contentFormat: ['markdown'] },
    completion: {
      completionItem: {
        documentationFormat: ['markdown'], resolveSupport: { properties: ['documentation'] },
      },
    },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'source'] } },
    },
    rename: { prepareSupport: true },
    publishDiagnostics: { versionSupport: true, tagSupport: { valueSet: [1] } },
  },
  window: { workDoneProgress: true },
};

// Editor is a client with what it has been told.
class Editor {
  constructor(connection) {
    this.connection = connection;
    this.published = [];
    this.waiting = [];
    this.log = [];
    this.registered = [];
    this.edits = [];
    this.progress = [];
    connection.onNotification(lsp.PublishDiagnosticsNotification.type, (p) => {
      this.published.push(p);
      this.waiting.forEach((w) => w());
    });
    connection.onNotification(lsp.LogMessageNotification.type, (p) => this.log.push(p.message));
    connection.onRequest(lsp.RegistrationRequest.type, (p) => {
      this.registered.push(...p.registrations.map((r) => r.method));
    });
    connection.onRequest(lsp.ConfigurationRequest.type, (p) => p.items.map(() => null));
    connection.onRequest(lsp.WorkDoneProgressCreateRequest.type, (p) => {
      connection.onProgress(lsp.WorkDoneProgress.type, p.token,
        (v) => this.progress.push(v.kind));
    });
    connection.onRequest(lsp.ApplyWorkspaceEditRequest.type, (p) => {
      this.edits.push(p);
      return { applied: true };
    });
    connection.onUnhandledNotification((n) => assert.fail(`unexpected ${n.method}`));
    connection.listen();
  }

  send(type, params) { return this.connection.sendRequest(type, params); }

  tell(type, params) { return this.connection.sendNotification(type, params); }

  // problems waits for what is published of a version.
  async problems(version) {
    for (;;) {
      const found = this.published.find((p) => p.uri === main && p.version === version);
      if (found) return found.diagnostics;
      await new Promise((resolve) => { this.waiting.push(resolve); });
    }
  }

  async start() {
    const result = await this.send(lsp.InitializeRequest.type, {
      processId: process.pid, rootUri: null, capabilities,
      workspaceFolders: [{ uri: pathToFileURL(folder).toString(), name: 'test' }],
    });
    const able = result.capabilities;
    assert.deepStrictEqual(able.executeCommandProvider.commands,
      ['starlark.debug', 'starlark.organizeLoads', 'starlark.run']);
    assert.strictEqual(able.textDocumentSync.change, lsp.TextDocumentSyncKind.Incremental);
    this.legend = able.semanticTokensProvider.legend;
    await this.tell(lsp.InitializedNotification.type, {});
    await this.tell(lsp.DidOpenTextDocumentNotification.type, {
      textDocument: { uri: main, languageId: 'starlark', version: 1, text: program },
    });
  }

  async stop() {
    assert.strictEqual(await this.send(lsp.ShutdownRequest.type), null);
    await this.tell(lsp.ExitNotification.type);
  }
}

const checks = {
  async diagnostics(e) {
    const problems = await e.problems(1);
    assert.ok(problems.every(lsp.Diagnostic.is));
    assert.deepStrictEqual(problems.map((p) => [p.code, p.severity, p.range]), [
      ['unused-load', 2, range(1, 18, 1, 24)],
      ['undefined', 1, range(6, 11, 6, 25)],
    ]);
    assert.deepStrictEqual(problems[0].tags, [1]);
  },

  async pullDiagnostics(e) {
    const full = await e.send(lsp.DocumentDiagnosticRequest.type, { textDocument });
    assert.strictEqual(full.kind, 'full');
    assert.deepStrictEqual(full.items.slice(0, 2).map((p) => p.code), ['unused-load', 'undefined']);
    const same = await e.send(lsp.DocumentDiagnosticRequest.type,
      { textDocument, previousResultId: full.resultId });
    assert.deepStrictEqual(same, { kind: 'unchanged', resultId: full.resultId });
  },

  async completion(e) {
    const list = await e.send(lsp.CompletionRequest.type, at(5, 10));
    const item = list.items.find((i) => i.label === 'len');
    assert.deepStrictEqual(item.textEdit, { range: range(5, 8, 5, 12), newText: 'len' });
    assert.strictEqual(item.documentation, undefined);
    const resolved = await e.send(lsp.CompletionResolveRequest.type, item);
    assert.strictEqual(resolved.documentation.kind, 'markdown');
    assert.ok(resolved.documentation.value.length > 10);
  },

  async hover(e) {
    const hover = await e.send(lsp.HoverRequest.type, at(5, 9));
    assert.ok(lsp.Hover.is(hover));
    assert.deepStrictEqual(hover.range, range(5, 8, 5, 12));
    for (const part of ['def copy(src, dst, mode = "0644")', 'Copies a file.',
      '- `src`: where from.', `[lib.star](${lib})`]) {
      assert.ok(hover.contents.value.includes(part), hover.contents.value);
    }
  },

  async signatureHelp(e) {
    const help = await e.send(lsp.SignatureHelpRequest.type, at(5, 20));
    assert.strictEqual(help.signatures[0].label, 'copy(src, dst, mode = "0644")');
    assert.strictEqual(help.activeParameter, 1);
    assert.deepStrictEqual(help.signatures[0].parameters.map((p) => p.label),
      ['src', 'dst', 'mode = "0644"']);
  },

  async navigation(e) {
    assert.deepStrictEqual(await e.send(lsp.DefinitionRequest.type, at(5, 9)),
      [{ uri: lib, range: range(0, 4, 0, 8) }]);
    assert.deepStrictEqual(await e.send(lsp.DeclarationRequest.type, at(5, 9)),
      [{ uri: main, range: range(0, 18, 0, 22) }]);
    assert.deepStrictEqual(
      await e.send(lsp.ReferencesRequest.type,
        { ...at(5, 9), context: { includeDeclaration: true } }),
      [
        { uri: lib, range: range(0, 4, 0, 8) },
        { uri: main, range: range(0, 18, 0, 22) },
        { uri: main, range: range(5, 8, 5, 12) },
      ]);
    assert.deepStrictEqual(await e.send(lsp.DocumentHighlightRequest.type, at(4, 9)), [
      { range: range(4, 8, 4, 12), kind: 3 }, { range: range(5, 13, 5, 17), kind: 2 },
    ]);
    assert.deepStrictEqual(await e.send(lsp.DocumentLinkRequest.type, { textDocument }), [
      { range: range(0, 6, 0, 14), target: lib }, { range: range(1, 6, 1, 14), target: lib },
    ]);
  },

  async rename(e) {
    assert.deepStrictEqual(await e.send(lsp.PrepareRenameRequest.type, at(5, 9)),
      { range: range(5, 8, 5, 12), placeholder: 'copy' });
    const edit = await e.send(lsp.RenameRequest.type, { ...at(5, 9), newName: 'duplicate' });
    assert.ok(lsp.WorkspaceEdit.is(edit));
    assert.deepStrictEqual(
      edit.documentChanges.map((c) => [c.textDocument.uri, c.textDocument.version, c.edits.length]),
      [[lib, null, 1], [main, 1, 2]]);
    await assert.rejects(e.send(lsp.RenameRequest.type, { ...at(5, 9), newName: 'for' }),
      (err) => err.code === lsp.LSPErrorCodes.RequestFailed && /"for"/.test(err.message));
  },

  async symbols(e) {
    const symbols = await e.send(lsp.DocumentSymbolRequest.type, { textDocument });
    assert.ok(symbols.every(lsp.DocumentSymbol.is));
    assert.deepStrictEqual(symbols.map((s) => [s.name, s.kind, s.selectionRange]),
      [['main', lsp.SymbolKind.Function, range(3, 4, 3, 8)]]);
    const found = await e.send(lsp.WorkspaceSymbolRequest.type, { query: 'hlp' });
    assert.deepStrictEqual(found.map((s) => [s.name, s.location]),
      [['helper', { uri: lib, range: range(8, 4, 8, 10) }]]);
  },

  async structure(e) {
    const folds = await e.send(lsp.FoldingRangeRequest.type, { textDocument });
    assert.ok(folds.every(lsp.FoldingRange.is));
    assert.deepStrictEqual(folds.map((f) => [f.startLine, f.endLine, f.kind]),
      [[0, 1, 'imports'], [3, 6, undefined], [4, 5, undefined]]);
    const [selection] = await e.send(lsp.SelectionRangeRequest.type,
      { textDocument, positions: [{ line: 5, character: 14 }] });
    assert.ok(lsp.SelectionRange.is(selection));
    assert.deepStrictEqual(selection.range, range(5, 13, 5, 17));
    const hints = await e.send(lsp.InlayHintRequest.type,
      { textDocument, range: range(0, 0, 9, 0) });
    assert.ok(hints.every(lsp.InlayHint.is));
    assert.deepStrictEqual(hints.map((h) => [h.label, h.position.line, h.position.character]),
      [['src =', 5, 13], ['dst =', 5, 19], ['arg =', 8, 6]]);
  },

  async semanticTokens(e) {
    const full = await e.send(lsp.SemanticTokensRequest.type, { textDocument });
    assert.strictEqual(e.legend.tokenTypes[full.data[3]], 'keyword');
    assert.deepStrictEqual(full.data.slice(0, 5), [0, 0, 4, full.data[3], 0]);
    const delta = await e.send(lsp.SemanticTokensDeltaRequest.type,
      { textDocument, previousResultId: full.resultId });
    assert.deepStrictEqual(delta.edits, []);
    const part = await e.send(lsp.SemanticTokensRangeRequest.type,
      { textDocument, range: range(8, 0, 8, 9) });
    assert.deepStrictEqual(part.data.slice(0, 3), [8, 0, 4]);
  },

  async callHierarchy(e) {
    const [item] = await e.send(lsp.CallHierarchyPrepareRequest.type, at(5, 9));
    assert.strictEqual(item.uri, lib);
    const incoming = await e.send(lsp.CallHierarchyIncomingCallsRequest.type, { item });
    assert.deepStrictEqual(incoming.map((c) => [c.from.name, c.fromRanges]),
      [['main', [range(5, 8, 5, 12)]]]);
    const outgoing = await e.send(lsp.CallHierarchyOutgoingCallsRequest.type, { item });
    assert.deepStrictEqual(outgoing.map((c) => c.to.name), ['helper']);
  },

  async codeActions(e) {
    const actions = await e.send(lsp.CodeActionRequest.type,
      { textDocument, range: range(1, 20, 1, 20), context: { diagnostics: [] } });
    assert.ok(actions.every(lsp.CodeAction.is));
    assert.deepStrictEqual(actions.map((a) => [a.title, a.kind]), [
      ['Remove the load of helper', 'quickfix'], ['Organize loads', 'source.organizeImports'],
    ]);
  },

  async formatting(e) {
    const untidy = { uri: 'untitled:format' };
    await e.tell(lsp.DidOpenTextDocumentNotification.type, {
      textDocument: {
        ...untidy, languageId: 'starlark', version: 1, text: 'x = [ 1 ]\ny = [ 2 ]\n',
      },
    });
    const format = (type, more) => e.send(type,
      { textDocument: untidy, options: { tabSize: 4, insertSpaces: true }, ...more });
    assert.deepStrictEqual(await format(lsp.DocumentFormattingRequest.type),
      [{ range: range(0, 0, 2, 0), newText: 'x = [1]\ny = [2]\n' }]);
    assert.deepStrictEqual(
      await format(lsp.DocumentRangeFormattingRequest.type, { range: range(1, 0, 1, 4) }),
      [{ range: range(1, 0, 2, 0), newText: 'y = [2]\n' }]);
  },

  async organizeLoads(e) {
    await e.send(lsp.ExecuteCommandRequest.type,
      { command: 'starlark.organizeLoads', arguments: [main] });
    assert.strictEqual(e.edits.length, 1);
    assert.strictEqual(e.edits[0].edit.documentChanges[0].textDocument.version, 1);
  },

  async run(e) {
    const lenses = await e.send(lsp.CodeLensRequest.type, { textDocument });
    const lens = lenses.find((l) => l.command.title === 'Run');
    await e.tell(lsp.DidOpenTextDocumentNotification.type, {
      textDocument: {
        uri: 'untitled:run', languageId: 'starlark', version: 1, text: 'print(6 * 7)\n',
      },
    });
    const outcome = await e.send(lsp.ExecuteCommandRequest.type,
      { command: lens.command.command, arguments: ['untitled:run'] });
    assert.deepStrictEqual(outcome, { exitCode: 0 });
    assert.ok(e.log.includes('42'), e.log.join());
  },

  async incrementalChanges(e) {
    await e.tell(lsp.DidChangeTextDocumentNotification.type, {
      textDocument: { uri: main, version: 2 },
      contentChanges: [{ range: range(6, 11, 6, 25), text: 'arg' }],
    });
    const problems = await e.problems(2);
    assert.deepStrictEqual(problems.map((p) => p.code), ['unused-load']);
  },

  async settings(e) {
    const methods = ['workspace/didChangeConfiguration', 'workspace/didChangeWatchedFiles'];
    assert.deepStrictEqual(e.registered.sort(), methods);
  },

  async cancel(e) {
    await e.tell(lsp.DidOpenTextDocumentNotification.type, {
      textDocument: {
        uri: 'untitled:endless', languageId: 'starlark', version: 1,
        text: 'def f():\n    for _ in range(1000000000):\n        pass\nf()\n',
      },
    });
    const source = new lsp.CancellationTokenSource();
    const running = e.connection.sendRequest(lsp.ExecuteCommandRequest.type,
      { command: 'starlark.run', arguments: ['untitled:endless'] }, source.token);
    setTimeout(() => source.cancel(), 50);
    await assert.rejects(running, (err) => err.code === lsp.LSPErrorCodes.RequestCancelled);
  },
};

async function drive(connection) {
  const editor = new Editor(connection);
  await editor.start();
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check(editor);
    } catch (err) {
      err.message = `${name}: ${err.message}`;
      throw err;
    }
  }
  await editor.stop();
}

function connect(input, output) {
  return lsp.createProtocolConnection(
    new lsp.StreamMessageReader(input), new lsp.StreamMessageWriter(output));
}

async function overStdio() {
  const child = spawn(target, ['serve', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise((resolve) => { child.on('exit', resolve); });
  await drive(connect(child.stdout, child.stdin));
  assert.strictEqual(await exited, 0);
}

async function overTCP() {
  const [, host, port] = target.match(/^(.*):(\d+)$/);
  await Promise.all([1, 2, 3, 4].map(async () => {
    const socket = net.connect(Number(port), host);
    const closed = new Promise((resolve) => { socket.on('close', resolve); });
    await drive(connect(socket, socket));
    await closed;
  }));
}

fs.writeFileSync(path.join(folder, 'lib.star'), library);
fs.writeFileSync(path.join(folder, 'main.star'), 'on disk');
const timer = setTimeout(() => { throw new Error('took too long'); }, 60_000);
(mode === 'stdio' ? overStdio() : overTCP()).then(() => {
  clearTimeout(timer);
  console.log('ok');
}, (err) => {
  console.error(err);
  process.exit(1);
});
