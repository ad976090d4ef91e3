import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { compileCache } from '../../scripts/test-run/compile-cache.ts';

const root = join(import.meta.dirname, '..', '..');
const node = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');

type RunningScript = {
  kill: (signal: NodeJS.Signals) => void;
  done: Promise<{ code: number | null; output: string }>;
};

/** Starts one of the project's commands with these settings and no other environment. */
export function startScript(name: string, args: string[], env: Record<string, string>): RunningScript {
  const child = spawn(node, [join(root, 'scripts', `${name}.ts`), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', TMPDIR: process.env.TMPDIR ?? '/tmp', ...compileCache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  const done = new Promise<{ code: number | null; output: string }>((resolve) => child.once('close', (code) => resolve({ code, output })));
  return { kill: (signal) => child.kill(signal), done };
}
