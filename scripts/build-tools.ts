import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { problemOfPath } from './checkout-path.ts';

const root = join(import.meta.dirname, '..');
export const viteProgram = join(root, 'node_modules', 'vite', 'bin', 'vite.js');

/** Returns whether the build tools are installed and can read the checkout, and says what to do where not. */
export function hasBuildTools(what: 'client' | 'server'): boolean {
  const isInstalled = existsSync(viteProgram);
  const problem = isInstalled
    ? problemOfPath(root)
    : `The ${what} has to be built, and what builds it is not installed: run npm install, npm run build, and npm prune --omit=dev.`;
  if (problem) console.error(problem);
  return problem === null;
}

/**
 * Runs a build in a process of its own: the tools take 100 MB, and `npm start` becomes the server. Returns whether it succeeded. What is built is for
 * production, whatever the shell says: React would be twice as large and warn.
 */
export async function runBuild(args: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, NODE_ENV: 'production' } });
  const [code] = await once(child, 'close');
  return code === 0;
}
