// Drives a language server with the library of VS Code's language clients, and prints what its
// clients got: a line of JSON for each, the same however the server is reached.
//
//   node language.mjs SUBJECT FOLDER CLIENTS tcp HOST:PORT
//   node language.mjs SUBJECT FOLDER CLIENTS stdio COMMAND ARGS...
//
// SUBJECT is one of the servers below. FOLDER is where its workspace is, or is written.
import assert from 'node:assert';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { reach, require, run, write } from './reach.mjs';

const lsp = require('vscode-languageserver-protocol/node');
const [name, folder, count, way, ...target] = process.argv.slice(2);
const uri = (file) => pathToFileURL(path.join(folder, file)).toString();

// The servers. Each has a workspace whose first file is edited: something called greet is used at
// the place given, and there may be a problem with something else. The server is known to ask the
// client what is listed. Some do nothing, and can be cancelled, before what is held is answered.
const subjects = {
  gopls: {
    language: 'go',
    files: {
      'main.go': 'package main\n\n// greet says hello.\nfunc greet(name string) string {\n' +
        '\treturn "hello, " + name\n}\n\nfunc main() { println(greet("wörld"), misspelt) }\n',
      'go.mod': 'module example.com/greet\n\ngo 1.26\n',
    },
    place: [7, 24],
    problem: 'misspelt',
    // Without these it completes what it finds in the time it has.
    configuration: { completeUnimported: false, completionBudget: '0s' },
    command: {
      command: 'gopls.add_import', arguments: [{ ImportPath: 'os', URI: uri('main.go') }],
    },
    asks: [
      'client/registerCapability', 'window/workDoneProgress/create', 'workspace/applyEdit',
      'workspace/configuration',
    ],
    held: 'workspace/configuration',
  },
  pyright: {
    language: 'python',
    files: {
      'main.py': 'import sys, os\n\ndef greet(name: str) -> str:\n    return "hello, " + name\n\n' +
        'greet("wörld")\nmisspelt()\n',
    },
    place: [5, 2],
    problem: 'misspelt',
    command: { command: 'pyright.organizeimports', arguments: [uri('main.py')] },
    asks: ['client/registerCapability', 'workspace/applyEdit', 'workspace/configuration'],
    held: 'workspace/configuration',
  },
  typescript: {
    language: 'typescript',
    files: {
      'main.ts': 'import { b } from "./b";\nimport { a } from "./a";\n' +
        'function greet(name: string) {\n  return `hello, ${name}`;\n}\ngreet(a + b);\nmisspelt;\n',
      'a.ts': 'export const a = "a";\n',
      'b.ts': 'export const b = "b";\n',
      'tsconfig.json': '{}\n',
    },
    place: [5, 2],
    problem: 'misspelt',
    command: {
      command: '_typescript.organizeImports', arguments: [path.join(folder, 'main.ts')],
    },
    asks: ['window/workDoneProgress/create', 'workspace/applyEdit', 'workspace/configuration'],
  },
  yaml: {
    language: 'yaml',
    files: { 'main.yaml': 'greet: &greet\n  name: wörld\nother: *greet\nother: 1\n' },
    place: [2, 9],
    problem: 'unique',
    asks: ['client/registerCapability', 'workspace/configuration'],
  },
  bash: {
    language: 'shellscript',
    files: {
      'main.sh': '#!/bin/bash\n# greet says hello.\ngreet() {\n  echo "hello, $1"\n}\n\n' +
        'greet wörld\n',
    },
    place: [6, 2],
    asks: ['workspace/configuration'],
  },
  json: {
    language: 'json',
    files: {
      'main.json': '{\n"$schema": "https://example.com/schema",\n"greet": "wörld",\n' +
        '"other": 1\n}\n',
    },
    place: [2, 3],
    problem: 'Incorrect type',
    options: { handledSchemaProtocols: ['file'] }, // it asks the client for others
    settings: { json: { validate: { enable: true }, format: { enable: true } } },
    asks: ['client/registerCapability', 'vscode/content'],
    held: 'vscode/content',
  },
};
const schema = {
  properties: { greet: { description: 'greet says hello.' }, other: { type: 'string' } },
};

const subject = subjects[name];
const [file, text] = Object.entries(subject.files)[0];
const textDocument = { uri: uri(file) };
const place = {
  textDocument, position: { line: subject.place[0], character: subject.place[1] },
};

// What a server is asked that says it can answer it.
const requests = {
  hoverProvider: [lsp.HoverRequest, place],
  completionProvider: [lsp.CompletionRequest, place],
  definitionProvider: [lsp.DefinitionRequest, place],
  renameProvider: [lsp.RenameRequest, { ...place, newName: 'salute' }],
  documentSymbolProvider: [lsp.DocumentSymbolRequest, { textDocument }],
  foldingRangeProvider: [lsp.FoldingRangeRequest, { textDocument }],
  workspaceSymbolProvider: [lsp.WorkspaceSymbolRequest, { query: 'greet' }],
};

const capabilities = {
  workspace: {
    applyEdit: true, configuration: true, workspaceFolders: true,
    workspaceEdit: { documentChanges: true },
    didChangeConfiguration: { dynamicRegistration: true },
    didChangeWatchedFiles: { dynamicRegistration: true },
  },
  textDocument: {
    hover: { contentFormat: ['markdown'] },
    completion: { completionItem: { snippetSupport: true } },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    foldingRange: { lineFoldingOnly: true },
    formatting: { dynamicRegistration: true },
    rangeFormatting: { dynamicRegistration: true },
    publishDiagnostics: {},
  },
  window: { workDoneProgress: true },
};

// steady, as a replacer of JSON.stringify, evens out what is new each time: the names of progress
// and registrations, and the order in which gopls lists what it watches.
function steady(key, value) {
  if (key === 'id' || key === 'token') return '*';
  return key === 'watchers' ? value.map((w) => JSON.stringify(w)).sort() : value;
}

// Client is an editor that answers what a server asks, and notes what it is told.
class Client {
  constructor(connection) {
    this.connection = connection;
    this.asked = {}; // by method: how often something is asked can depend on time
    this.progress = []; // what came under each token
    this.wake = () => {}; // called when problems were published
    connection.onRequest((method, params) => this.answer(method, params));
    connection.onNotification(lsp.PublishDiagnosticsNotification.type, (p) => {
      if (p.uri !== textDocument.uri) return;
      this.problems = p.diagnostics;
      this.wake();
    });
    connection.listen();
  }

  answer(method, params) {
    (this.asked[method] ??= new Set()).add(JSON.stringify(params, steady));
    if (method === this.holding) this.cancel();
    switch (method) {
      case 'workspace/configuration': return params.items.map(() => subject.configuration ?? null);
      case 'workspace/applyEdit': return { applied: true };
      case 'vscode/content': return JSON.stringify(schema);
      case 'window/workDoneProgress/create': this.progress.push(this.follow(params.token));
    }
    return null;
  }

  // follow returns a list of what is reported under a token from now on, but for how far something
  // has come, which depends on time.
  follow(token) {
    const values = [];
    this.connection.onProgress(lsp.WorkDoneProgress.type, token, (value) => {
      if (value.kind !== 'report') values.push(value.kind ? [value.kind, value.title] : value);
    });
    return values;
  }

  tell(type, params) { return this.connection.sendNotification(type.type, params); }

  // ask sends a request and returns its result, or the code of its error.
  async ask(type, params, token = lsp.CancellationToken.None) {
    try {
      return { result: await this.connection.sendRequest(type.method, params, token) };
    } catch (err) {
      return { error: err.code };
    }
  }

  // giveUp cancels a request that waits for our answer to one of the server's, before we answer.
  giveUp(type, params, method) {
    const source = new lsp.CancellationTokenSource();
    Object.assign(this, { holding: method, cancel: () => source.cancel() });
    return this.ask(type, params, source.token);
  }

  // drop cancels a request at once. Whether its server, or the host, hears of that before it has
  // answered is a matter of time.
  async drop(type, params) {
    const source = new lsp.CancellationTokenSource();
    const outcome = this.ask(type, params, source.token);
    source.cancel();
    const { error } = await outcome;
    assert(error === undefined || error === lsp.LSPErrorCodes.RequestCancelled, error);
  }

  // problemsWith waits for problems that mention something, if there is something to mention.
  async problemsWith(text = '') {
    while (!this.problems || !JSON.stringify(this.problems).includes(text)) {
      await new Promise((resolve) => { this.wake = resolve; });
    }
    return this.problems;
  }
}

// use has a client use the server.
async function use(client, got) {
  const root = pathToFileURL(folder).toString();
  got.initialize = await client.ask(lsp.InitializeRequest, {
    processId: process.pid, rootUri: root, workspaceFolders: [{ uri: root, name: 'greet' }],
    capabilities, initializationOptions: subject.options,
  });
  client.tell(lsp.InitializedNotification, {});
  if (subject.settings) {
    client.tell(lsp.DidChangeConfigurationNotification, { settings: subject.settings });
  }
  client.tell(lsp.DidOpenTextDocumentNotification, {
    textDocument: { ...textDocument, languageId: subject.language, version: 1, text },
  });
  if (subject.held) got.cancelled = await client.giveUp(lsp.HoverRequest, place, subject.held);
  got.problems = await client.problemsWith(subject.problem);
  for (const [provider, [type, params]] of Object.entries(requests)) {
    if (got.initialize.result.capabilities[provider]) {
      got[type.method] = await client.ask(type, params);
    }
  }
  const references = {
    ...place, context: { includeDeclaration: true }, workDoneToken: 'work', partialResultToken: 1,
  };
  got.work = client.follow('work');
  got.part = client.follow(1);
  got.references = await client.ask(lsp.ReferencesRequest, references);
  if (subject.command) got.command = await client.ask(lsp.ExecuteCommandRequest, subject.command);
  await client.drop(lsp.HoverRequest, place);
}

async function drive(got) {
  const { input, output, ended } = await reach(way, target);
  const client = new Client(lsp.createProtocolConnection(
    new lsp.StreamMessageReader(input), new lsp.StreamMessageWriter(output)));
  await use(client, got);
  got.shutdown = await client.ask(lsp.ShutdownRequest);
  await client.tell(lsp.ExitNotification);
  assert.strictEqual(await ended, 0);
  got.progress = client.progress;
  got.asked = Object.entries(client.asked).map(([method, all]) => [method, [...all].sort()]).sort();
  for (const method of subject.asks) assert(client.asked[method], `it does not ask ${method}`);
  assert.match(JSON.stringify(got), /greet/);
}

write(folder, subject.files);
await run(count, drive);
