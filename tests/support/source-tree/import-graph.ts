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
    const { targets, others } = reachedFrom(file, imports);
    for (const target of targets) visit(target);
    for (const name of others) packages.add(name);
  };
  visit(join(root, entry));
  return { files: [...files].map((file) => relative(root, file)), packages: [...packages] };
}

/** A file is a part of many graphs, and does not change meanwhile. */
const known = new Map<string, { targets: string[]; others: string[] }>();

/** Returns the files that a file imports, and the packages. */
function reachedFrom(file: string, imports: RegExp): { targets: string[]; others: string[] } {
  const key = `${imports} ${file}`;
  const before = known.get(key);
  if (before) return before;
  const names = importsOf(file, imports);
  const targets = names.filter(isOwn).map((name) => join(dirname(file), name));
  const reached = { targets: targets.filter((target) => existsSync(target)), others: names.filter((name) => !isOwn(name)) };
  known.set(key, reached);
  return reached;
}

const isOwn = (specifier: string) => specifier.startsWith('.');

/** Returns what a file imports, as it names it. */
export function importsOf(file: string, imports = naming): string[] {
  const source = readFileSync(file, 'utf8').replaceAll(typesOnly, '');
  return [...source.matchAll(imports)].map(([, imported, script]) => imported ?? script ?? '');
}
