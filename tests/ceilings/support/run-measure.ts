import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compileCache } from '../../../scripts/test-run/compile-cache.ts';

const root = join(import.meta.dirname, '../../..');
/** The Node of the installation, also when another one runs the tests. */
export const node = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');

/**
 * A program that measures may ask for a collection, and has room for young objects, so that none is due within a block. Its code is compiled
 * at the same calls at any load: what is compiled allocates less.
 */
export const heapOptions = ['--expose-gc', '--min-semi-space-size=512', '--max-semi-space-size=512', '--no-concurrent-recompilation'];

/** Runs a program of the folder `measures` in a process of its own, and returns what it prints. */
export async function runMeasure<T>(program: string): Promise<T> {
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', NODE_ENV: 'production', ...compileCache };
  const file = join(import.meta.dirname, '../measures', program);
  const { stdout } = await promisify(execFile)(node, [...heapOptions, file], { cwd: root, env });
  return JSON.parse(stdout) as T;
}
