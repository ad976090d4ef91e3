import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { buildClientWhenStale } from '../../scripts/build-client.ts';
import { installOwnPackages } from '../own-packages.ts';

const here = import.meta.dirname;

/** Installs the peers once and builds their pages. Returns the folder of the pages. */
export async function preparePeers(): Promise<string> {
  installOwnPackages(here);
  const outDir = join(here, 'dist');
  if (isStale(join(outDir, 'floor.html'), [join(here, 'peers'), join(here, 'graph.ts'), join(here, 'package-lock.json')])) {
    console.log('Building the pages of the peers.');
    const input = ['floor.html', 'litegraph.html', 'react-flow.html'].map((page) => join(here, 'peers', page));
    const rolldownOptions = { input };
    await build({
      root: join(here, 'peers'),
      configFile: false,
      logLevel: 'warn',
      plugins: [react()],
      build: { outDir, emptyOutDir: true, chunkSizeWarningLimit: 2_000, rolldownOptions },
    });
  }
  return outDir;
}

/** Builds the client if there is none or it is older than its sources. Returns its folder. */
export async function prepareClient(): Promise<string> {
  if (!(await buildClientWhenStale())) throw new Error('the client could not be built');
  return join(here, '../../dist');
}

function isStale(target: string, sources: string[]): boolean {
  const built = statSync(target, { throwIfNoEntry: false })?.mtimeMs;
  return built === undefined || sources.some((source) => newest(source) > built);
}

function newest(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}
