// What the clients of mounted servers share: how they find their packages, write a workspace, reach
// a server, and print what they got from it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import path from 'node:path';

// require loads a package from where NODE_PATH says that they are.
export const require = createRequire(process.env.NODE_PATH + '/');

// write makes the files of a workspace, unless a client before has made them.
export function write(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    if (!fs.existsSync(file)) fs.writeFileSync(file, text);
  }
}

// reach connects to a server: way is tcp and the target HOST:PORT, or way is stdio and the target a
// command. It returns what the server writes, what it reads, and a promise of its exit status,
// which is 0 for the end of a connection.
export async function reach(way, [target, ...args]) {
  if (way === 'stdio') {
    const child = spawn(target, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (code, signal) => resolve(code ?? signal));
    });
    return { input: child.stdout, output: child.stdin, ended };
  }
  const [, host, port] = target.match(/^(.*):(\d+)$/);
  const socket = await dial(host, Number(port));
  const ended = new Promise((resolve) => { socket.on('close', () => resolve(0)); });
  return { input: socket, output: socket, ended };
}

// dial connects to a server that may be still about to listen.
async function dial(host, port) {
  for (;;) {
    const socket = net.connect(port, host);
    try {
      await once(socket, 'connect');
      return socket;
    } catch (err) {
      if (err.code !== 'ECONNREFUSED') throw err;
      await new Promise((resolve) => { setTimeout(resolve, 100); });
    }
  }
}

// run has some clients use a server at once, each of which notes what it gets, and prints that as
// JSON, a line for each client.
export async function run(count, use) {
  const all = Array.from({ length: Number(count) }, () => ({}));
  const patience = setTimeout(() => {
    for (const got of all) console.error('a client waits, who got', Object.keys(got));
    process.exit(1);
  }, 240_000);
  await Promise.all(all.map(use));
  clearTimeout(patience);
  for (const got of all) console.log(JSON.stringify(got));
}
