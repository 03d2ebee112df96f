// Drives the conformance server with a TypeScript client of MCP's own project, over stdio.
//
//   node mcpclient.mjs v1 COMMAND ARGS...       @modelcontextprotocol/sdk, legacy era
//   node mcpclient.mjs legacy|auto|modern ...   @modelcontextprotocol/client, in that mode
//
// It prints "N passed, N failed" and exits 1 if a check failed. NODE_PATH names the packages.
import assert from 'node:assert';
import { createRequire } from 'node:module';

const require = createRequire(process.env.NODE_PATH + '/');
const [mode, command, ...args] = process.argv.slice(2);

// connect returns a client whose user and model answer at once.
async function connect() {
  const info = { name: 'interop', version: '1' };
  const capabilities = { elicitation: { form: {} }, sampling: {}, roots: {} };
  const fields = { name: 'Ada', username: 'ada', email: 'a@b.c' };
  const filled = () => {
    asked();
    return { action: 'accept', content: fields };
  };
  const said = () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'Paris' } });
  const roots = () => ({ roots: [{ uri: 'file:///project' }] });
  let client, Transport;
  if (mode === 'v1') {
    const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
    const types = require('@modelcontextprotocol/sdk/types.js');
    Transport = require('@modelcontextprotocol/sdk/client/stdio.js').StdioClientTransport;
    client = new Client(info, { capabilities });
    client.setRequestHandler(types.ElicitRequestSchema, filled);
    client.setRequestHandler(types.CreateMessageRequestSchema, said);
    client.setRequestHandler(types.ListRootsRequestSchema, roots);
  } else {
    const { Client } = require('@modelcontextprotocol/client');
    Transport = require('@modelcontextprotocol/client/stdio').StdioClientTransport;
    const versions = { legacy: 'legacy', auto: 'auto', modern: { pin: '2026-07-28' } };
    client = new Client(info, { capabilities, versionNegotiation: { mode: versions[mode] } });
    client.setRequestHandler('elicitation/create', filled);
    client.setRequestHandler('sampling/createMessage', said);
    client.setRequestHandler('roots/list', roots);
  }
  client.onerror = (err) => wrong.push(err);
  // The SDK's own handler of progress loses what arrives in one read with the result.
  client.removeNotificationHandler('notifications/progress');
  client.fallbackNotificationHandler = async ({ method, params }) => {
    if (method === 'notifications/progress') seen.push(params.progress);
  };
  const transport = new Transport({ command, args, stderr: 'inherit' });
  await client.connect(transport);
  return { client, transport };
}

const wrong = []; // what the client complained about
const seen = []; // what progress was reported
let asked = () => {}; // called when the user is asked
const { client, transport } = await connect();
const call = (name, given = {}, { progressToken, ...options } = {}) => {
  const params = { name, arguments: given, _meta: { progressToken } };
  return mode === 'v1'
    ? client.callTool(params, undefined, options)
    : client.callTool(params, options);
};
const textOf = (result) => result.content[0].text;

const checks = {
  'the tools are listed': async () => {
    const { tools } = await client.listTools();
    assert(tools.some((t) => t.name === 'test_simple_text'));
  },
  'a tool answers': async () => {
    assert.match(textOf(await call('test_simple_text')), /simple text/);
  },
  'a hundred calls at once are answered': async () => {
    const all = await Promise.all(Array.from({ length: 100 }, () => call('test_simple_text')));
    for (const result of all) assert.match(textOf(result), /simple text/);
  },
  'a tool that fails is a result': async () => {
    assert.strictEqual((await call('test_error_handling')).isError, true);
  },
  'an unknown tool is an error': async () => {
    await assert.rejects(call('no_such_tool'), (err) => err.code === -32602);
  },
  'progress comes in order, before the answer': async () => {
    await call('test_tool_with_progress', {}, { progressToken: 'p' });
    assert.deepStrictEqual(seen, [0, 50, 100]);
  },
  'a call can be given up': async () => {
    const abort = new AbortController();
    asked = () => abort.abort();
    await assert.rejects(call('test_elicitation', { message: 'Who?' }, { signal: abort.signal }));
    assert.match(textOf(await call('test_simple_text')), /simple text/);
  },
  'the user is asked': async () => {
    assert.match(textOf(await call('test_elicitation', { message: 'Who?' })), /accept.*ada/);
  },
  'the model is asked': async () => {
    assert.match(textOf(await call('test_sampling', { prompt: 'Capital?' })), /Paris/);
  },
  'the roots are asked for': async () => {
    assert.match(textOf(await call('test_input_required_result_list_roots')), /file:\/\/\/project/);
  },
  'resources are listed and read': async () => {
    const { resources } = await client.listResources();
    assert(resources.some((r) => r.uri === 'test://static-text'));
    const { contents } = await client.readResource({ uri: 'test://template/7/data' });
    assert.strictEqual(JSON.parse(contents[0].text).id, '7');
  },
  'a missing resource is an error': async () => {
    await assert.rejects(client.readResource({ uri: 'test://nothing' }));
  },
  'prompts are listed and filled in': async () => {
    const { prompts } = await client.listPrompts();
    assert(prompts.some((p) => p.name === 'test_prompt_with_arguments'));
    const { messages } = await client.getPrompt({
      name: 'test_prompt_with_arguments', arguments: { arg1: 'x', arg2: 'y' },
    });
    assert.match(messages[0].content.text, /arg1='x', arg2='y'/);
  },
  'arguments are completed': async () => {
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
      argument: { name: 'arg1', value: 'par' },
    });
    assert.deepStrictEqual(completion.values, ['paris', 'park', 'party']);
  },
  'nothing came that the client did not expect': async () => assert.deepStrictEqual(wrong, []),
  'the server ends with its input': async () => {
    const { pid } = transport;
    await client.close();
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  },
};

let failed = 0;
for (const [name, check] of Object.entries(checks)) {
  try {
    await check();
  } catch (err) {
    failed++;
    console.log(`FAILED: ${name}: ${err.stack}`);
  }
}
console.log(`${Object.keys(checks).length - failed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
