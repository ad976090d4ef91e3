import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { buildProductWhenStale } from './build-product.ts';
import { findCurrentBundle, importOf, productBundles } from './server-build/server-bundle.ts';

/**
 * Before `npm pack`: makes `build/`, which is all that the package holds. Node reads no TypeScript below `node_modules`, so the sources of
 * threads, child processes and commands are there as JavaScript, at the same places as in a checkout.
 */
const root = join(import.meta.dirname, '..');
const target = join(root, 'build');
const sources = [
  ...['async', 'contract', 'deploy/runner', 'locales', 'rules', 'server'],
  ...['scripts/account.ts', 'scripts/backup', 'scripts/backup.ts', 'scripts/nightly-backup.ts', 'scripts/package', 'scripts/restore.ts'],
  ...['scripts/stop-with-npm.ts', 'package.json'],
];
/** What only a checkout or an image reads. */
const unread = /(^|\/)(tsconfig\.json|Dockerfile)$/;
/** The places where a source names a module: imports, and the programs of threads and processes. */
const namedModule = /\b((?:from |import |import\(|new URL\()['"`]\.{1,2}\/[^'"`\n]{1,200})\.ts(?=['"`])/g;

const bundle = (await buildProductWhenStale()) ? await findCurrentBundle(productBundles) : null;
if (bundle === null) process.exit(1);

rmSync(target, { recursive: true, force: true });
for (const path of sources) for (const file of filesIn(path)) copySource(file);
for (const file of JSON.parse(readFileSync(join(root, 'dist', '.vite', 'files.json'), 'utf8')) as string[]) copy(join('dist', file));
for (const file of readdirSync(dirname(bundle.program))) copyOfBundle(join('dist-server', bundle.name, file));
write(join('dist-server', 'main.js'), importOf(bundle.name));
write(join('dist-server', 'package.json'), '{ "type": "module" }\n');
write('THIRD_PARTY_LICENSES.md', `${licensesIn('dist/.vite')}\n${licensesIn(join('dist-server', bundle.name))}`);

/** What the build of the page or of the server has noted of the packages in it. */
function licensesIn(folder: string): string {
  return readFileSync(join(root, folder, 'license.md'), 'utf8');
}

function filesIn(path: string): string[] {
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

function copySource(file: string): void {
  if (unread.test(file)) return;
  // An `.mjs` is a module wherever it is: a process that may read only its own folder finds no package.json.
  if (!file.endsWith('.ts')) copy(file);
  else write(file.replace(/\.ts$/, '.mjs'), withModules(stripTypeScriptTypes(readFileSync(join(root, file), 'utf8'))));
}

/** A map of a bundle leads to sources that the package has not. */
function copyOfBundle(file: string): void {
  if (file.endsWith('.js'))
    write(file, withModules(readFileSync(join(root, file), 'utf8')).replace(/^\/\/# sourceMappingURL=\S{1,200}$/m, ''));
  else if (!/\.(map|md)$/.test(file)) copy(file);
}

function withModules(code: string): string {
  return code.replace(namedModule, '$1.mjs');
}

function copy(file: string): void {
  mkdirSync(dirname(join(target, file)), { recursive: true });
  cpSync(join(root, file), join(target, file));
}

function write(file: string, content: string): void {
  mkdirSync(dirname(join(target, file)), { recursive: true });
  writeFileSync(join(target, file), content);
}
