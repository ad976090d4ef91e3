import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readBuildRecord, readCurrentBuild, storeBuildRecord } from './build-record.ts';
import { hasBuildTools, runBuild, viteProgram } from './build-tools.ts';
import { helpSources } from './client-build/help-site.ts';
import { publishBuild, stagingOf } from './publish-build.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const recordFile = join(dist, '.vite', 'built-with.json');
const paths = [
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
  ...helpSources,
];

/**
 * Builds the client unless the one in `dist/` was built from these sources with these client settings. A server that runs on
 * `dist/` still serves whole pages meanwhile. Returns false if the build failed.
 */
export async function buildClientWhenStale(): Promise<boolean> {
  return (await readCurrentBuild(recordFile, clientInputs())) !== null || buildClient();
}

/**
 * Builds the client and publishes it into `dist/`. Assets of earlier builds stay there for a week, for pages that are still open.
 * Returns false when the build failed.
 */
export async function buildClient(): Promise<boolean> {
  if (!hasBuildTools('client')) return false;
  console.log('Building the client…');
  // Read before: what changes during the build counts for the next one.
  const record = readBuildRecord(clientInputs());
  const stage = stagingOf(dist, String(process.pid));
  const options = ['build', '--logLevel', 'warn', '--outDir', stage, '--emptyOutDir'];
  if (!(await runBuild([viteProgram, ...options]))) {
    await rm(stage, { recursive: true, force: true });
    return false;
  }
  await publishBuild(stage, dist, new Date());
  await storeBuildRecord(recordFile, record);
  return true;
}

/** With the settings that Vite writes into the client. */
function clientInputs() {
  const settings = Object.entries(process.env)
    .filter(([name]) => name.startsWith('VITE_'))
    .sort(([a], [b]) => a.localeCompare(b));
  return { root, paths, settings: JSON.stringify(settings) };
}
