import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { publishBuild, stagingOf } from './publish-build.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
/** Written last, so that an interrupted build is repeated. Its time is the build's start, so that later changes count. */
const stamp = join(dist, '.vite', 'built-with.json');
const sources = [
  'async',
  'src',
  'contract',
  'rules',
  'locales',
  'public',
  'index.html',
  'scripts/client-build',
  'server/http/pages/landing-choice.ts',
  'server/http/pages/page-files.ts',
  'vite.config.ts',
  'package-lock.json',
];

/**
 * Builds the client unless the one in `dist/` was built from these sources with these client settings. A server that runs on
 * `dist/` still serves whole pages meanwhile. Returns false if the build failed.
 */
export async function buildClientWhenStale(): Promise<boolean> {
  const isFresh = builtWith() === JSON.stringify(clientSettings()) && (await newest(sources)) <= modifiedAt(stamp);
  return isFresh || buildClient();
}

/**
 * Builds the client and publishes it into `dist/`. Assets of earlier builds stay there for a week, for pages that are still open.
 * Returns false when the build failed.
 */
export async function buildClient(): Promise<boolean> {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  if (!existsSync(vite)) {
    console.error(
      'The client has to be built, and what builds it is not installed: run npm install, npm run build, and npm prune --omit=dev.',
    );
    return false;
  }
  console.log('Building the client…');
  const begun = new Date();
  const stage = stagingOf(dist, String(process.pid));
  const options = ['build', '--logLevel', 'warn', '--outDir', stage, '--emptyOutDir'];
  const built = spawnSync(process.execPath, [vite, ...options], { cwd: root, stdio: 'inherit' });
  if (built.status !== 0) {
    await rm(stage, { recursive: true, force: true });
    return false;
  }
  await publishBuild(stage, dist, new Date());
  writeFileSync(stamp, JSON.stringify(clientSettings()));
  utimesSync(stamp, begun, begun);
  return true;
}

/** The settings that Vite writes into the client: another value needs another build. */
function clientSettings(): [string, string | undefined][] {
  return Object.entries(process.env)
    .filter(([name]) => name.startsWith('VITE_'))
    .sort(([a], [b]) => a.localeCompare(b));
}

function builtWith(): string | null {
  try {
    return readFileSync(stamp, 'utf8');
  } catch {
    return null;
  }
}

async function newest(paths: readonly string[]): Promise<number> {
  let latest = 0;
  for (const path of paths) {
    const full = join(root, path);
    const inside = await readdir(full, { recursive: true }).catch(() => []);
    // Folders count too: removing a file changes only its folder.
    for (const item of ['.', ...inside]) latest = Math.max(latest, modifiedAt(join(full, item)));
  }
  return latest;
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
