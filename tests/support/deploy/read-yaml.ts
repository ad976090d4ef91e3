import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');
/** The parser that a tool of this project brings: nothing but tests reads YAML. */
const { parse } = createRequire(createRequire(import.meta.url).resolve('knip'))('yaml') as {
  parse: (text: string, options: { merge: boolean }) => unknown;
};

/** Returns what a YAML file of this project holds. */
export function readYaml<T>(file: string): T {
  return parse(readFileSync(join(root, file), 'utf8'), { merge: true }) as T;
}
