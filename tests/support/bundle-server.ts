import { utimesSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'vite';
import { buildBundle } from '../../scripts/server-build/bundle-server.ts';
import { findCurrentBundle, serverBundles } from '../../scripts/server-build/server-bundle.ts';
import { serviceVariables } from './test-services.ts';

const root = join(import.meta.dirname, '..', '..');
const bundles = serverBundles('node_modules/.cache/test-server', [relative(root, import.meta.filename)]);

/**
 * Bundles the server as `npm run build` does, with a seam for tools of tests, and returns its program. Loading the many files of the sources
 * takes more than half of the processor's time of a start. Suites that run at the same time share a bundle, and one of unchanged files is used again.
 */
export async function bundleServer(): Promise<string> {
  const current = await findCurrentBundle(bundles);
  if (current === null) return (await buildBundle(bundles, [openFileTools])).program;
  // Builds remove what was not used for a day.
  utimesSync(dirname(current.program), new Date(), new Date());
  return current.program;
}

/** Runs once before a suite: its tests start the bundled server. */
export async function setup(): Promise<void> {
  process.env[serviceVariables.server] = await bundleServer();
}

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
