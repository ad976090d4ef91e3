import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Returns the option with which a process loads a module of `tests/support` before its own code, for example
 * `preload('faults/kill-at-write.ts')`. Node splits NODE_OPTIONS at spaces. A URL has none, also where the path of the checkout has some.
 */
export function preload(module: string): string {
  return `--import=${pathToFileURL(join(import.meta.dirname, module)).href}`;
}
