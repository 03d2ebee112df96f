// Drives the Starlark debugger with the library that VS Code's debug adapters are tested with.
//
//   node debugclient.js stdio FOLDER PROGRAM     spawns PROGRAM serve for each scenario
//   node debugclient.js tcp FOLDER PORT          attaches four clients at the same time
//
// FOLDER is where it writes the programs it debugs. It exits 0 and prints "ok" if every check held.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { setTimeout } = require('node:timers/promises');
const { DebugClient } = require('@vscode/debugadapter-testsupport');

const [mode, folder, target] = process.argv.slice(2);

// All files are written before the first session: while one is written anew, a debugger of another
// session would find it empty, and its program would end without a stop.
function write(name, lines) {
  const file = path.join(folder, name);
  fs.writeFileSync(file, lines.join('\n') + '\n');
  return file;
}

const lib = write('lib.star', [
  'def double(n):', // 1
  '    m = 2 * n', // 2
  '    return m', // 3
]);
const main = write('main.star', [
  'load("lib.star", "double")', // 1
  'values = [1, 2, 3]', // 2
  'def total(ns):', // 3
  '    sum = 0', // 4
  '    for n in ns:', // 5
  '        sum += double(n)', // 6
  '    return sum', // 7
  'result = total(values)', // 8
  'print("total", result)', // 9
]);
const failing = write('failing.star', ['def f(n):', '    return 1 // n', 'f(0)']);
const endless = write('endless.star', [
  'def spin():', '    for i in range(1000000000):', '        pass', 'spin()',
]);
const calls = write('calls.star', [
  'def f(n):', '    return n', 'def g(n):', '    return n', 'x = g(f(1))',
]);
const nested = write('nested.star', [
  'def f(free):', '    def g(xs):', '        return free', '    return g([1] * 100000)',
  'f({"k": 1})',
]);
const given = write('given.star', ['a = args', 'b = 1']);

const thread = { threadId: 1 };

// configure launches a program after before has set what is to stop it.
async function configure(dc, args, before) {
  await Promise.all([
    dc.waitForEvent('initialized').then(async () => {
      if (before) await before();
      await dc.configurationDoneRequest();
    }),
    dc.launch(args),
  ]);
}

async function moved(dc, request, reason, line, file = main) {
  await Promise.all([
    dc.assertStoppedLocation(reason, { path: file, line }),
    dc[request](thread),
  ]);
}

async function rejects(promise, words) {
  await assert.rejects(promise, (e) => e.message.includes(words));
}

const scenarios = {
  async output(dc) {
    await Promise.all([
      configure(dc, { program: main }),
      dc.assertOutput('stdout', 'total 12\n'),
      dc.waitForEvent('exited').then((e) => assert.strictEqual(e.body.exitCode, 0)),
      dc.waitForEvent('terminated'),
    ]);
  },

  async stepping(dc) {
    await dc.hitBreakpoint({ program: main }, { path: main, line: 8 });
    await moved(dc, 'stepInRequest', 'step', 4);
    await moved(dc, 'nextRequest', 'step', 5);
    await moved(dc, 'nextRequest', 'step', 6);
    await moved(dc, 'stepInRequest', 'step', 2, lib);
    const stack = (await dc.stackTraceRequest(thread)).body;
    assert.deepStrictEqual(stack.stackFrames.map((f) => `${f.name}:${f.line}`),
      ['double:2', 'total:6', '<toplevel>:8']);
    assert.strictEqual(stack.totalFrames, 3);
    await moved(dc, 'stepOutRequest', 'step', 6);
    await Promise.all([dc.waitForEvent('terminated'), dc.continueRequest(thread)]);
  },

  async targets(dc) {
    await dc.hitBreakpoint({ program: calls }, { path: calls, line: 5 });
    const frameId = (await dc.stackTraceRequest(thread)).body.stackFrames[0].id;
    const { targets } = (await dc.stepInTargetsRequest({ frameId })).body;
    assert.deepStrictEqual(targets.map((t) => t.label), ['g(f(1))', 'f(1)']);
    await Promise.all([
      dc.assertStoppedLocation('step', { path: calls, line: 4 }),
      dc.stepInRequest({ threadId: 1, targetId: targets[0].id }),
    ]);
  },

  async breakpoints(dc) {
    const first = dc.assertStoppedLocation('function breakpoint', { path: main, line: 4 });
    await configure(dc, { program: main }, async () => {
      const set = (await dc.setBreakpointsRequest({
        source: { path: lib }, breakpoints: [{ line: 3, condition: 'm == 4' }],
      })).body.breakpoints;
      assert.ok(set[0].verified && set[0].id > 0);
      const log = (await dc.setBreakpointsRequest({
        source: { path: main }, breakpoints: [
          { line: 6, logMessage: 'n is {n}' }, { line: 7, hitCondition: '>=1' }, { line: 99 },
        ],
      })).body.breakpoints;
      assert.deepStrictEqual(log.map((b) => b.verified), [true, true, false]);
      await dc.setFunctionBreakpointsRequest({ breakpoints: [{ name: 'total' }] });
    });
    await first;
    const logged = dc.assertOutput('console', 'n is 1\nn is 2\n');
    await moved(dc, 'continueRequest', 'breakpoint', 3, lib);
    await logged;
    await moved(dc, 'continueRequest', 'breakpoint', 7);
    const places = (await dc.customRequest('breakpointLocations',
      { source: { path: main }, line: 1, endLine: 9 })).body.breakpoints;
    assert.deepStrictEqual(places.map((p) => p.line), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  },

  async values(dc) {
    await dc.hitBreakpoint(
      { program: nested, predeclared: { P: [true] } }, { path: nested, line: 3 });
    const frameId = (await dc.stackTraceRequest(thread)).body.stackFrames[0].id;
    const scopes = (await dc.scopesRequest({ frameId })).body.scopes;
    assert.deepStrictEqual(scopes.map((s) => s.name),
      ['Locals', 'Free variables', 'Globals', 'Predeclared']);
    const [xs] = (await dc.variablesRequest(
      { variablesReference: scopes[0].variablesReference })).body.variables;
    assert.strictEqual(xs.name, 'xs');
    const page = (await dc.variablesRequest(
      { variablesReference: xs.variablesReference, start: 99998, count: 10 })).body.variables;
    assert.deepStrictEqual(page.map((v) => v.name), ['[99998]', '[99999]']);
    const [free] = (await dc.variablesRequest(
      { variablesReference: scopes[1].variablesReference })).body.variables;
    const set = { variablesReference: free.variablesReference, name: '"k"', value: '41 + 1' };
    assert.strictEqual((await dc.setVariableRequest(set)).body.value, '42');
    const read = { expression: 'free["k"]', frameId };
    assert.strictEqual((await dc.evaluateRequest({ ...read, context: 'hover' })).body.result, '42');
    await dc.customRequest('setExpression', { expression: 'free["k"]', value: '7', frameId });
    assert.strictEqual((await dc.evaluateRequest({ ...read, context: 'watch' })).body.result, '7');
    await rejects(dc.customRequest('setExpression', { expression: 'xs', value: '7', frameId }),
      'cannot be assigned');
    const typed = dc.assertOutput('stdout', 'hi\n');
    await dc.evaluateRequest({ expression: 'print("hi")', context: 'repl', frameId });
    await typed;
    const found = (await dc.completionsRequest({ text: 'fr', column: 3, frameId })).body.targets;
    assert.deepStrictEqual(found.map((t) => t.label), ['free']);
  },

  async sources(dc) {
    await dc.hitBreakpoint({ program: main }, { path: lib, line: 2 });
    const sources = (await dc.customRequest('loadedSources')).body.sources;
    assert.deepStrictEqual(sources.map((s) => s.path), [main, lib]);
    const modules = (await dc.modulesRequest({})).body.modules;
    assert.deepStrictEqual(modules.map((m) => m.name), ['main.star', 'lib.star']);
    const text = (await dc.sourceRequest({ sourceReference: 0, source: { path: lib } })).body;
    assert.strictEqual(text.content, fs.readFileSync(lib, 'utf8'));
    const threads = (await dc.threadsRequest()).body.threads;
    assert.deepStrictEqual(threads, [{ id: 1, name: 'main.star' }]);
  },

  async exceptions(dc) {
    await Promise.all([
      configure(dc, { program: failing },
        () => dc.setExceptionBreakpointsRequest({ filters: ['uncaught'] })),
      dc.assertStoppedLocation('exception', { path: failing, line: 2 }),
    ]);
    const info = (await dc.exceptionInfoRequest(thread)).body;
    assert.ok(info.description.includes('division by zero'));
    assert.ok(info.details.stackTrace.includes('failing.star:2'));
    await Promise.all([
      dc.waitForEvent('exited').then((e) => assert.strictEqual(e.body.exitCode, 1)),
      dc.continueRequest(thread),
    ]);
  },

  async pause(dc) {
    await configure(dc, { program: endless });
    await Promise.all([dc.waitForEvent('stopped'), dc.pauseRequest(thread)]);
    await Promise.all([
      dc.assertStoppedLocation('entry', { path: endless, line: 1 }),
      dc.stackTraceRequest(thread).then(({ body }) =>
        dc.restartFrameRequest({ frameId: body.stackFrames.at(-1).id })),
    ]);
    await dc.continueRequest(thread);
    await Promise.all([dc.waitForEvent('terminated'), dc.terminateRequest()]);
  },

  async restart(dc) {
    await dc.hitBreakpoint({ program: given, args: ['one'] }, { path: given, line: 2 });
    await Promise.all([
      dc.assertStoppedLocation('breakpoint', { path: given, line: 2 }), dc.restartRequest({}),
    ]);
    await Promise.all([
      dc.assertStoppedLocation('breakpoint', { path: given, line: 2 }),
      dc.restartRequest({ arguments: { program: given, args: ['two'] } }),
    ]);
    const a = (await dc.evaluateRequest({ expression: 'a', context: 'watch' })).body.result;
    assert.strictEqual(a, '["two"]');
  },

  async entry(dc) {
    await Promise.all([
      configure(dc, { program: main, stopOnEntry: true }),
      dc.assertStoppedLocation('entry', { path: main, line: 1 }),
    ]);
  },

  async refusals(dc) {
    await dc.initializeRequest();
    await rejects(dc.launchRequest({ program: path.join(folder, 'none.star') }), 'none.star');
    await rejects(dc.attachRequest({ session: 'none' }), '');
    await rejects(dc.customRequest('mock/custom', { a: 1 }), 'unsupported command mock/custom');
    await rejects(dc.stackTraceRequest(thread), 'notStopped');
  },
};

// late fails after a time: a client that attaches waits for events without end.
async function late() {
  await setTimeout(120_000, undefined, { ref: false });
  throw new Error('it takes too long');
}

async function run(name, connect) {
  const dc = await connect();
  dc.defaultTimeout = 60_000; // for an event, of a program on a busy machine
  try {
    await Promise.race([scenarios[name](dc), late()]);
  } catch (e) {
    throw new Error(`${name}: ${e.stack}`);
  } finally {
    await dc.stop();
  }
}

async function attached() {
  const dc = new DebugClient('', '', 'starlark');
  await dc.start(Number(target));
  return dc;
}

async function spawned() {
  const dc = new DebugClient(target, 'serve', 'starlark');
  await dc.start();
  return dc;
}

async function drive() {
  if (mode === 'stdio') {
    for (const name in scenarios) await run(name, spawned);
    return;
  }
  await Promise.all(Array.from({ length: 4 }, async () => {
    for (const name in scenarios) await run(name, attached);
  }));
}

drive().then(() => {
  console.log('ok');
  process.exit(0);
}, (e) => {
  console.error(e);
  process.exit(1);
});
