import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '../../..');
/** Static and dynamic imports, side-effect imports, re-exports, and worker scripts. */
const naming = /(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'|new URL\('([^']+)'/g;
/** Type-only imports and exports, which the compiler removes. */
const typesOnly = /^(?:import|export) type [^;]*;$/gm;

/** Returns all files that a file can reach, itself included, by path from the root, and all packages by name. Does not enter `before`. */
export function importGraph(entry: string, before?: string): { files: string[]; packages: string[] } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string) => {
    if (files.has(file) || relative(root, file) === before) return;
    files.add(file);
    if (!/\.tsx?$/.test(file)) return;
    for (const specifier of importsOf(file)) {
      const target = join(dirname(file), specifier);
      if (specifier.startsWith('.') && existsSync(target)) visit(target);
      else if (!specifier.startsWith('.')) packages.add(specifier);
    }
  };
  visit(join(root, entry));
  return { files: [...files].map((file) => relative(root, file)), packages: [...packages] };
}

/** Returns what a file imports, as it names it. */
export function importsOf(file: string): string[] {
  const source = readFileSync(file, 'utf8').replaceAll(typesOnly, '');
  return [...source.matchAll(naming)].map(([, imported, script]) => imported ?? script ?? '');
}
