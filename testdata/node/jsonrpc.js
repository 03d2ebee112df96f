// Drives the echo method set with vscode-jsonrpc, the library of VS Code's language clients.
//
//   node jsonrpc.js stdio COMMAND ARGS...    spawns the host
//   node jsonrpc.js tcp HOST:PORT            attaches eight clients at the same time
//
// It exits 0 and prints "ok" if every check held.
'use strict';
const assert = require('node:assert');
const { spawn } = require('node:child_process');
const net = require('node:net');
const rpc = require('vscode-jsonrpc/node');

const [mode, ...args] = process.argv.slice(2);

async function check(connection, name) {
  const noticed = [];
  connection.onNotification('peer/told', (p) => noticed.push(p));
  connection.onRequest('peer/question', (p) => ({ answered: p }));
  connection.onRequest('peer/refuse', () => {
    throw new rpc.ResponseError(4711, 'no', { why: name });
  });
  connection.onRequest('peer/slow', (_, token) => new Promise((resolve, reject) => {
    token.onCancellationRequested(() => reject(new rpc.ResponseError(-32800, 'stopped')));
  }));
  connection.listen();

  const text = { text: 'naïve 编辑器 🎉', nested: [1, { a: null }] };
  assert.deepStrictEqual(await connection.sendRequest('echo', text), text);
  assert.strictEqual(await connection.sendRequest('add', { a: 40, b: 2 }), 42);

  for (let i = 0; i < 100; i++) connection.sendNotification('count');
  assert.strictEqual(await connection.sendRequest('counted'), 100);

  const many = await Promise.all(
    Array.from({ length: 500 }, (_, i) => connection.sendRequest('echo', { name, i })));
  many.forEach((m, i) => assert.deepStrictEqual(m, { name, i }));

  await assert.rejects(connection.sendRequest('fail', { code: 7, message: 'm', data: [1] }),
    (e) => e.code === 7 && e.message === 'm' && e.data[0] === 1);
  await assert.rejects(connection.sendRequest('nope', {}), (e) => e.code === -32601);
  await assert.rejects(connection.sendRequest('panic'), (e) => e.code === -32603);

  const source = new rpc.CancellationTokenSource();
  const slept = connection.sendRequest('sleep', { ms: 600000 }, source.token);
  source.cancel();
  await assert.rejects(slept, (e) => e.code === -32800);

  assert.deepStrictEqual(
    await connection.sendRequest('ask', { method: 'peer/question', params: { q: 1 } }),
    { answered: { q: 1 } });
  await assert.rejects(
    connection.sendRequest('ask', { method: 'peer/refuse', params: {} }),
    (e) => e.code === 4711 && e.data.why === name);

  const pending = new rpc.CancellationTokenSource();
  const asked = connection.sendRequest('ask', { method: 'peer/slow', params: {} }, pending.token);
  await connection.sendRequest('echo', {});
  pending.cancel();
  await assert.rejects(asked, (e) => e.code === -32800);

  assert.strictEqual(
    await connection.sendRequest('tell', { method: 'peer/told', params: { n: 1 }, times: 50 }), 50);
  assert.strictEqual(noticed.length, 50);

  const big = { text: 'x'.repeat(1 << 20) };
  assert.deepStrictEqual(await connection.sendRequest('echo', big), big);
}

async function overStdio(command, commandArgs) {
  const child = spawn(command, commandArgs, { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise((resolve) => child.on('exit', resolve));
  const connection = rpc.createMessageConnection(
    new rpc.StreamMessageReader(child.stdout), new rpc.StreamMessageWriter(child.stdin));
  await check(connection, 'stdio');
  child.stdin.end();
  assert.strictEqual(await exited, 0);
}

async function overTCP(address, name) {
  const [host, port] = address.split(':');
  const socket = net.connect(Number(port), host);
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  const connection = rpc.createMessageConnection(
    new rpc.SocketMessageReader(socket), new rpc.SocketMessageWriter(socket));
  await check(connection, name);
  socket.end();
}

async function main() {
  if (mode === 'stdio') {
    await overStdio(args[0], args.slice(1));
  } else {
    await Promise.all(Array.from({ length: 8 }, (_, i) => overTCP(args[0], `client ${i}`)));
  }
  console.log('ok');
  process.exit(0);
}

main().catch((e) => {
  console.error(e);
  process.exit(1);
});
