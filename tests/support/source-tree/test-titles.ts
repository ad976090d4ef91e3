import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
/**
 * A call of `test`, `test.each(...)` and the like, up to the title; then the options object, where there is one. A list of cases may hold any
 * brackets: it ends with a line of its own.
 */
const calls =
  /(?:\b(?:test|it)(?:\.\w+)*(?:\((?:[^()]|\([^()]*\))*\))?|^\s*\](?: as const)?\))\(\s*[`'"]([^`'"]*)[`'"](?:,\s*\{([^{}]*)\})?/gm;

type TestTitle = { file: string; title: string; tags: string[] };

/** Returns the titles of all tests as their files have them, with the tags of browser tests. */
export function testTitles(): TestTitle[] {
  return globSync('tests/**/*.{test,spec}.{ts,tsx}', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(calls)].map(([, title = '', options = '']) => ({
      file,
      title,
      tags: [...options.matchAll(/\btag: '([^']+)'/g)].map(([, tag = '']) => tag),
    })),
  );
}
