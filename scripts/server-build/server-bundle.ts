import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildInputs, readCurrentBuild } from '../build-record.ts';

const root = join(import.meta.dirname, '..', '..');

/** Where bundles of the server are, and what they are made of. */
export type ServerBundles = { folder: string; inputs: BuildInputs };

/** The bundles of the product, and those of tests, which add paths. */
export function serverBundles(folder: string, morePaths: readonly string[] = []): ServerBundles {
  const sources = ['async', 'contract', 'rules', 'locales', 'server', 'scripts/server-build'];
  const paths = [...sources, 'tsconfig.base.json', 'package-lock.json', ...morePaths];
  return { folder: join(root, folder), inputs: { root, paths, settings: '' } };
}

export const productBundles = serverBundles('dist-server');

/** The program of the built server. It imports that of the newest bundle. */
export const serverProgram = join(productBundles.folder, 'main.js');

export function recordFileOf({ folder }: ServerBundles): string {
  return join(folder, 'built-with.json');
}

export function programOf({ folder }: ServerBundles, name: string): string {
  return join(folder, name, 'program.js');
}

/** What `serverProgram` holds. */
export function importOf(name: string): string {
  return `import './${name}/program.js';\n`;
}

/** Returns the program of the bundle that was made of the sources as they are, or null. */
export async function findCurrentBundle(bundles: ServerBundles): Promise<{ name: string; program: string } | null> {
  const record = await readCurrentBuild(recordFileOf(bundles), bundles.inputs);
  if (record === null) return null;
  const program = programOf(bundles, record.result);
  return existsSync(program) ? { name: record.result, program } : null;
}

/** Returns whether the built server is made of the sources as they are. */
export async function isServerBuilt(): Promise<boolean> {
  const current = await findCurrentBundle(productBundles);
  return current !== null && existsSync(serverProgram) && readFileSync(serverProgram, 'utf8') === importOf(current.name);
}
