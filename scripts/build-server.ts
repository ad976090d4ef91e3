import { join } from 'node:path';
import { hasBuildTools, runBuild } from './build-tools.ts';
import { isServerBuilt } from './server-build/server-bundle.ts';

/** Bundles the server unless the bundle in `dist-server/` was made of these sources. Returns false if the build failed. */
export async function buildServerWhenStale(): Promise<boolean> {
  return (await isServerBuilt()) || buildServer();
}

/** Bundles the server into `dist-server/`. A server that runs from there keeps its bundle. Returns false when the build failed. */
export async function buildServer(): Promise<boolean> {
  if (!hasBuildTools('server')) return false;
  console.log('Building the server…');
  return runBuild([join(import.meta.dirname, 'server-build', 'run.ts')]);
}
