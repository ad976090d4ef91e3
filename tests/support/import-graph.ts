import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '../..');
/** Static imports, lazy ones, those for their effect, exports from elsewhere, and scripts that a worker is made of. */
const naming = /(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'|new URL\('([^']+)'/g;
/** What is gone once it is compiled. */
const typesOnly = /^(?:import|export) type [^;]*;$/gm;

/** Every file that a file of the repository can reach, itself included, by its path from the root; of packages the name. Into the file `before` nothing is followed. */
export function importGraph(entry: string, before?: string): { files: string[]; packages: string[] } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string) => {
    if (files.has(file) || relative(root, file) === before) return;
    files.add(file);
    if (!/\.tsx?$/.test(file)) return;
    const source = readFileSync(file, 'utf8').replaceAll(typesOnly, '');
    for (const [, imported, script] of source.matchAll(naming)) {
      const specifier = imported ?? script ?? '';
      const target = join(dirname(file), specifier);
      if (specifier.startsWith('.') && existsSync(target)) visit(target);
      else if (!specifier.startsWith('.')) packages.add(specifier);
    }
  };
  visit(join(root, entry));
  return { files: [...files].map((file) => relative(root, file)), packages: [...packages] };
}
