import { readdirSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Plugin } from 'vite';
import { docs, isLeftOut } from '../../docs/.vitepress/chapters.ts';
import { readBuildRecord, readCurrentBuild, storeBuildRecord } from '../build-record.ts';
import { runBuild } from '../build-tools.ts';
import { afterBuild } from './after-build.ts';
import { compressFilesIn, helpPath } from './compressed-files.ts';

const root = join(docs, '..');
/** The folder in which the site lies below its address. */
export const helpRoot = join(root, '.vite');
const recordFile = join(helpRoot, 'help.json');
const compressed = new Set(['.css', '.html', '.js', '.json', '.svg', '.txt']);

/** What the site is made of, from the root of the repository. */
export const helpSources = [
  ...readdirSync(docs)
    .filter((name) => !isLeftOut(name))
    .map((name) => `docs/${name}`),
  'public/icon.svg',
  'src/ui/tokens.css',
];

/** Puts the site of the chapters in `docs/` beside the client. No page of the client loads anything of it. */
export function helpSite(): Plugin {
  return afterBuild('artel:help-site', async (dist) => cp(await builtHelp(), join(dist, helpPath), { recursive: true }));
}

/** Builds the site unless it was built of these chapters, which takes ten seconds. Returns its folder. */
export async function builtHelp(): Promise<string> {
  const folder = join(helpRoot, helpPath);
  const inputs = { root, paths: [...helpSources, 'package-lock.json'], settings: '' };
  if ((await readCurrentBuild(recordFile, inputs)) !== null) return folder;
  const record = readBuildRecord(inputs);
  // VitePress empties the folder first: what an interrupted build leaves is no site.
  await rm(recordFile, { force: true });
  const vitepress = join(root, 'node_modules', 'vitepress', 'bin', 'vitepress.js');
  if (!(await runBuild([vitepress, 'build', 'docs']))) throw new Error('The help was not built');
  await compressFilesIn(folder, (path) => compressed.has(extname(path)));
  await storeBuildRecord(recordFile, record);
  return folder;
}
