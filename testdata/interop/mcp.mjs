// Drives an MCP server with the TypeScript SDK, and prints what its clients got: a line of JSON for
// each, the same however the server is reached.
//
//   node mcp.mjs SUBJECT FOLDER CLIENTS tcp HOST:PORT
//   node mcp.mjs SUBJECT FOLDER CLIENTS stdio COMMAND ARGS...
//
// SUBJECT is one of the servers below. FOLDER is where it works, on files that are written there.
import assert from 'node:assert';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { reach, require, run, write } from './reach.mjs';

const sdk = require('@modelcontextprotocol/sdk/client/index.js');
const types = require('@modelcontextprotocol/sdk/types.js');
const { StdioServerTransport } = require('@modelcontextprotocol/sdk/server/stdio.js');
const [name, folder, count, way, ...target] = process.argv.slice(2);
const root = pathToFileURL(folder).toString();

// Client is an agent whose user and model answer, and which notes what it is asked and told.
class Client extends sdk.Client {
  asked = {};
  told = [];
  complaints = [];
  roots = [{ uri: root, name: 'one' }];
  wake = () => {};

  constructor() {
    super({ name: 'interop', version: '1' }, {
      capabilities: { elicitation: {}, sampling: {}, roots: { listChanged: true } },
    });
    const answer = (schema, result) => {
      this.setRequestHandler(schema, ({ method, params }) => {
        this.asked[method] = params ?? null;
        if (method === this.holding) this.cancel();
        return result;
      });
    };
    answer(types.ListRootsRequestSchema, { roots: this.roots });
    answer(types.ElicitRequestSchema, { action: 'accept', content: { name: 'Ada' } });
    answer(types.CreateMessageRequestSchema,
      { role: 'assistant', model: 'm', content: { type: 'text', text: 'Paris' } });
    // The SDK's own handler of progress loses what arrives in one read with the result.
    this.removeNotificationHandler('notifications/progress');
    this.fallbackNotificationHandler = async (notification) => {
      this.told.push(notification);
      this.wake();
    };
    this.onerror = (err) => this.complaints.push(err.message);
  }

  // hears waits until the server tells something that holds.
  async hears(holds) {
    while (!this.told.some(holds)) {
      await new Promise((resolve) => { this.wake = resolve; });
    }
  }

  // call returns the result of a tool, or its error.
  async call(name, args = {}, { progressToken, ...options } = {}) {
    try {
      const params = { name, arguments: args, _meta: { progressToken } };
      return await this.callTool(params, undefined, options);
    } catch (err) {
      return { code: err.code };
    }
  }

  // giveUp cancels the call of a tool when the server has asked something, before we answer that.
  giveUp(name, args, method) {
    const abort = new AbortController();
    Object.assign(this, { holding: method, cancel: () => abort.abort() });
    return this.call(name, args, { signal: abort.signal });
  }
}

const of = (method) => (notification) => notification.method === method;
const says = (text) => ({ params }) => `${params?.data}`.includes(text);

// The servers, and how each is used.
const subjects = {
  async everything(client, got) {
    await client.hears(of('notifications/tools/list_changed')); // some depend on the client
    got.tools = await client.listTools();
    got.echo = await client.call('echo', { message: 'wörld' });
    got.bad = await client.call('echo', { message: 1 });
    got.unknown = await client.call('misspelt');
    got.resources = await client.listResources();
    got.templates = await client.listResourceTemplates();
    got.prompts = await client.listPrompts();
    got.prompt = await client.getPrompt({ name: 'args-prompt', arguments: { city: 'Rome' } });
    got.completed = await client.complete({
      ref: { type: 'ref/prompt', name: 'completable-prompt' },
      argument: { name: 'department', value: 'E' },
    });
    got.sampled = await client.call('trigger-sampling-request', { prompt: 'Capital?' });
    got.elicited = await client.call('trigger-elicitation-request');
    got.long = await client.call('trigger-long-running-operation', { duration: 0.3, steps: 3 },
      { progressToken: 'long' });
    got.progress = client.told.filter(of('notifications/progress'));
    got.cancelled = await client.giveUp('trigger-sampling-request', { prompt: 'Who?' },
      'sampling/createMessage');

    got.roots = await client.call('get-roots-list');
    client.roots.push({ uri: `${root}/two`, name: 'two' });
    await client.sendRootsListChanged();
    await client.hears(says('2 root(s)'));
    got.changed = await client.call('get-roots-list');

    const [{ uri }] = got.resources.resources;
    got.read = await client.readResource({ uri });
    await client.subscribeResource({ uri });
    await client.call('toggle-subscriber-updates');
    await client.hears((n) => of('notifications/resources/updated')(n) && n.params.uri === uri);
    await client.call('toggle-subscriber-updates');
    await client.setLoggingLevel('debug');
    await client.call('toggle-simulated-logging');
    await client.hears(says('evel')); // of a level chosen at random
    await client.call('toggle-simulated-logging');
  },

  async filesystem(client, got) {
    got.tools = await client.listTools();
    const file = path.join(folder, 'file.txt');
    got.read = await client.call('read_text_file', { path: file });
    got.edit = await client.call('edit_file', {
      path: file, edits: [{ oldText: 'wörld', newText: 'all' }], dryRun: true,
    });
    got.list = await client.call('list_directory', { path: folder });
    got.outside = await client.call('read_text_file', { path: '/etc/hostname' });
    got.missing = await client.call('read_text_file', { path: path.join(folder, 'none') });
    got.allowed = await client.call('list_allowed_directories');
  },

  async gopls(client, got) {
    got.tools = await client.listTools();
    got.prompts = await client.listPrompts();
    got.workspace = await client.call('go_workspace');
    got.search = await client.call('go_search', { query: 'greet' });
    got.context = await client.call('go_file_context', { file: path.join(folder, 'main.go') });
    got.problems = await client.call('go_diagnostics', { files: [path.join(folder, 'main.go')] });
  },
};

async function drive(got) {
  const { input, output, ended } = await reach(way, target);
  const client = new Client();
  // Of the SDK's transports this is the one that takes streams, of either side.
  await client.connect(new StdioServerTransport(input, output));
  got.server = [client.getServerVersion(), client.getServerCapabilities()];
  await subjects[name](client, got);
  await client.ping();
  got.asked = Object.entries(client.asked).sort();
  got.complaints = client.complaints;
  await client.close();
  output.end();
  input.resume(); // which the client has paused
  assert.strictEqual(await ended, 0);
}

write(folder, {
  'file.txt': 'hello, wörld\n',
  'go.mod': 'module example.com/greet\n\ngo 1.26\n',
  'main.go': 'package main\n\nfunc greet() { misspelt() }\n\nfunc main() { greet() }\n',
});
await run(count, drive);
