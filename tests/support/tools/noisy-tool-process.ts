import { spawn } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/**
 * A tool server over its input and output. It starts a process of its own, and writes the ids of both to the file in its first argument. Its tools
 * tell of its surroundings, never answer, flood its output, or end it.
 */
const file = process.argv[2] ?? '';
const helper = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
writeFileSync(file, `${process.pid} ${helper.pid}`);
process.on('SIGTERM', () => {});
let calls = 0;

const tool = (name: string) => ({ name, description: name, inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } });
const send = (id: unknown, result: unknown) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
const text = (value: unknown) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });

console.log('This line is no message.');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line) as { id?: number; method: string; params?: { name?: string } };
  if (method === 'initialize')
    send(id, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'noisy', version: '1' } });
  if (method === 'tools/list') send(id, { tools: ['tell', 'hang', 'flood', 'exit'].map(tool) });
  if (method !== 'tools/call') return;
  calls += 1;
  const folder = process.cwd();
  if (params?.name === 'tell') send(id, text({ env: process.env, folder, isThere: existsSync(folder), files: readdirSync(folder), calls }));
  if (params?.name === 'flood') for (let at = 0; at < 64; at += 1) process.stdout.write('x'.repeat(64 * 1024));
  if (params?.name === 'exit') process.exit(1);
});
// It stays when its input ends.
setInterval(() => {}, 1_000);
