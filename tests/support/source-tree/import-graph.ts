import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '../../..');
/** Static and dynamic imports, side-effect imports, re-exports, and worker scripts. */
const naming = /(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'|new URL\('([^']+)'/g;
/** Static imports and re-exports: all that a script loads before it begins. */
const namingBeforeStart = /(?:\bfrom|\bimport)\s*'([^']+)'/g;
/** Type-only imports and exports, which the compiler removes. */
const typesOnly = /^(?:import|export) type [^;]*;$/gm;

type ImportGraph = { files: string[]; packages: string[] };

/** Returns all files that a file can reach, itself included, by path from the root, and all packages by name. Does not enter `before`. */
export function importGraph(entry: string, before?: string): ImportGraph {
  return follow(entry, naming, before);
}

/** The same of static imports alone: what a file needs before it begins. */
export function staticImportGraph(entry: string): ImportGraph {
  return follow(entry, namingBeforeStart);
}

function follow(entry: string, imports: RegExp, before?: string): ImportGraph {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string) => {
    if (files.has(file) || relative(root, file) === before) return;
    files.add(file);
    if (!/\.tsx?$/.test(file)) return;
    for (const specifier of importsOf(file, imports)) {
      const target = join(dirname(file), specifier);
      if (specifier.startsWith('.') && existsSync(target)) visit(target);
      else if (!specifier.startsWith('.')) packages.add(specifier);
    }
  };
  visit(join(root, entry));
  return { files: [...files].map((file) => relative(root, file)), packages: [...packages] };
}

/** Returns what a file imports, as it names it. */
export function importsOf(file: string, imports = naming): string[] {
  const source = readFileSync(file, 'utf8').replaceAll(typesOnly, '');
  return [...source.matchAll(imports)].map(([, imported, script]) => imported ?? script ?? '');
}
