import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '../../..');
/** Static and dynamic imports, side-effect imports, re-exports, and worker scripts. */
const naming = /(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'|new URL\('([^']+)'/g;
/** Static imports and re-exports: all that a script loads before it begins. */
const namingBeforeStart = /(?:\bfrom|\bimport)\s*'([^']+)'/g;
/** Imports of own files, those of types too. */
const namingOfModules = /(?:\bfrom|\bimport\()\s*'(\.[^']+)'/g;
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

/** Returns the groups of files under these folders that import each other in a circle, types included, the largest first. Paths are from the root. */
export function importCircles(folders: readonly string[]): string[][] {
  const modules = modulesIn(folders);
  const circles: string[][] = [];
  // Tarjan's strongly connected components: `low` is the earliest file that one can reach which is still on the path.
  const order = new Map<string, number>();
  const path: string[] = [];
  const visit = (file: string): number => {
    const at = order.size;
    order.set(file, at);
    path.push(file);
    const next = modules.get(file) ?? [];
    const low = Math.min(at, ...next.map((one) => (order.has(one) ? (path.includes(one) ? (order.get(one) ?? at) : at) : visit(one))));
    if (low === at) circles.push(path.splice(path.indexOf(file)));
    return low;
  };
  for (const file of modules.keys()) if (!order.has(file)) visit(file);
  return circles.filter(({ length }) => length > 1).sort((one, other) => other.length - one.length);
}

/** Returns the pairs of folders in this one whose files import each other, types included. Paths are from the root. */
export function foldersThatNeedEachOther(folder: string): string[] {
  const imports = new Set<string>();
  for (const [file, modules] of modulesIn([folder])) for (const other of modules) imports.add(`${dirname(file)} ${dirname(other)}`);
  return [...imports].filter((one) => {
    const [from = '', to = ''] = one.split(' ');
    return from < to && imports.has(`${to} ${from}`);
  });
}

/** What each file in these folders imports of them, types included. */
function modulesIn(folders: readonly string[]): Map<string, string[]> {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => join(folder, file)),
  );
  const known = new Set(files);
  const importsIn = (file: string) => [...readFileSync(join(root, file), 'utf8').matchAll(namingOfModules)];
  return new Map(
    files.map((file) => [
      file,
      importsIn(file)
        .map(([, name = '']) => join(dirname(file), name))
        .filter((one) => known.has(one)),
    ]),
  );
}
