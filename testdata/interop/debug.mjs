// Drives a debug adapter with the library that VS Code's debug adapters are tested with, and prints
// what its clients got: a line of JSON for each, the same however the adapter is reached.
//
//   node debug.mjs SUBJECT FOLDER CLIENTS tcp HOST:PORT
//   node debug.mjs SUBJECT FOLDER CLIENTS stdio COMMAND ARGS...
//
// SUBJECT is one of the debuggers below. FOLDER is where the program to debug is, or is made.
import assert from 'node:assert';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { reach, require, run, write } from './reach.mjs';

const { DebugClient } = require('@vscode/debugadapter-testsupport');
const [name, folder, count, way, ...target] = process.argv.slice(2);
const program = path.join(folder, 'debuggee');

const c = {
  files: {
    'main.c': '#include <stdio.h>\n\nstatic int twice(int n) {\n\tint m = 2 * n;\n\treturn m;\n' +
      '}\n\nint main(void) {\n\tprintf("%d\\n", twice(21));\n\treturn 3;\n}\n',
  },
  build: ['cc', '-g', '-O0', '-o', 'debuggee', 'main.c'],
};

// The debuggers, each with a program that has stopped in a function, in the line of its breakpoint,
// when m is 42. It prints that, too.
const subjects = {
  delve: {
    files: {
      'main.go': 'package main\n\nfunc twice(n int) int {\n\tm := 2 * n\n\treturn m\n}\n\n' +
        'func main() {\n\tprint(twice(21), "\\n")\n}\n',
      'go.mod': 'module example.com/twice\n\ngo 1.26\n',
    },
    build: ['go', 'build', '-gcflags=-N -l', '-o', 'debuggee', '.'],
    launch: { mode: 'exec', program, outputMode: 'remote' },
    line: 5,
  },
  lldb: { ...c, launch: { program }, line: 5 },
  'lldb-terminal': { ...c, launch: { program, runInTerminal: true }, line: 5 },
  starlark: {
    files: {
      'main.star': 'def twice(n):\n    m = 2 * n\n    return m\n\nx = twice(21)\nprint(x)\n',
    },
    launch: { program: path.join(folder, 'main.star') },
    line: 3,
    endless: '[None for _ in range(1 << 30) for _ in range(1 << 30) if False]',
  },
};

const subject = subjects[name];
const source = { path: path.join(folder, Object.keys(subject.files)[0]) };

// Client keeps the events that come, and runs what an adapter wants to be run in a terminal.
class Client extends DebugClient {
  events = [];
  printed = '';
  wake = () => {};

  dispatch(text) {
    const message = JSON.parse(text);
    if (message.type === 'request') this.runInTerminal(message);
    else if (message.type === 'response') super.dispatch(text);
    else if (message.event === 'output') this.print(message.body);
    else this.events.push(message);
    this.wake();
  }

  print({ category, output }) {
    if (category === 'stdout' || category === 'stderr') this.printed += output;
  }

  // runInTerminal is the only thing that adapters ask for.
  runInTerminal({ seq, command, arguments: { args: [executable, ...args] } }) {
    assert.strictEqual(command, 'runInTerminal');
    const terminal = spawn(executable, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    terminal.stdout.on('data', (data) => {
      this.printed += data;
      this.wake();
    });
    this.inTerminal = true;
    const body = JSON.stringify({
      seq: this.sequence++, type: 'response', request_seq: seq, success: true, command,
      body: { processId: terminal.pid },
    });
    this.outputStream.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  // until waits until find finds something, and returns that.
  async until(find) {
    for (;;) {
      const found = find();
      if (found) return found;
      await new Promise((resolve) => { this.wake = resolve; });
    }
  }

  // event waits for an event, unless it has come already, and returns its body.
  async event(name) {
    const event = await this.until(() => this.events.find((e) => e.event === name));
    this.events.splice(this.events.indexOf(event), 1);
    return event.body;
  }

  async stopped() {
    const { reason, threadId } = await this.event('stopped');
    const { stackFrames } = (await this.stackTraceRequest({ threadId })).body;
    const [{ id, name, line, source }] = stackFrames;
    return { threadId, frameId: id, where: [reason, name, line, source.path] };
  }

  // locals returns names, types and values: what else is told of a variable is new each time, as
  // its address.
  async locals(frameId) {
    const { scopes } = (await this.scopesRequest({ frameId })).body;
    const [{ variablesReference }] = scopes;
    const { variables } = (await this.variablesRequest({ variablesReference })).body;
    return [scopes.map((s) => s.name), variables.map((v) => [v.name, v.type, v.value])];
  }

  // cancelled returns what becomes of a request that is cancelled.
  async cancelled(frameId) {
    const endless = this.evaluateRequest({ expression: subject.endless, frameId });
    this.send('cancel', { requestId: this.sequence - 1 });
    return endless.then(() => 'evaluated', (err) => err.message);
  }
}

// debug runs the program to its breakpoint, a step further, and to its end.
async function debug(dc, got) {
  got.initialize = (await dc.initializeRequest({
    adapterID: name, linesStartAt1: true, columnsStartAt1: true, pathFormat: 'path',
    supportsRunInTerminalRequest: true, supportsProgressReporting: true,
  })).body;
  const launched = dc.launchRequest(subject.launch);
  await dc.event('initialized');
  const { breakpoints } = (await dc.setBreakpointsRequest({
    source, breakpoints: [{ line: subject.line }],
  })).body;
  got.breakpoints = breakpoints.map((b) => [b.verified, b.line]);
  await dc.configurationDoneRequest();
  await launched;
  const { threadId, frameId, where } = await dc.stopped();
  got.stopped = where;
  got.locals = await dc.locals(frameId);
  const { threads } = (await dc.threadsRequest()).body;
  got.thread = threads.some((t) => t.id === threadId); // among those of the runtime
  const { result, type } = (await dc.evaluateRequest({ expression: 'm + 1', frameId })).body;
  got.evaluated = [result, type];
  got.refused = await dc.evaluateRequest({ expression: 'misspelt', frameId })
    .then(() => 'evaluated', (err) => err.message);
  if (subject.endless) got.cancelled = await dc.cancelled(frameId);
  await dc.nextRequest({ threadId });
  got.stepped = (await dc.stopped()).where;
  await dc.continueRequest({ threadId });
  await dc.until(() => dc.printed.includes('42'));
  got.exited = await dc.event('exited');
  await dc.event('terminated');
  got.inTerminal = dc.inTerminal ?? false;
  await dc.disconnectRequest();
}

async function drive(got) {
  const { input, output, ended } = await reach(way, target);
  const dc = new Client('', '', name);
  dc.connect(input, output);
  await debug(dc, got);
  output.end();
  await ended; // lldb-dap 19 aborts when it has done its work, so the status says nothing
  assert.match(JSON.stringify(got.locals), /"m",[^\]]*"42"/);
  assert.strictEqual(got.inTerminal, subject.launch.runInTerminal ?? false);
}

write(folder, subject.files);
if (subject.build && !fs.existsSync(program)) {
  execFileSync(subject.build[0], subject.build.slice(1), { cwd: folder });
}
await run(count, drive);
