import { execFile } from 'node:child_process';
import { cp, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeOpenFolder } from './database/make-open-folder.ts';

const root = join(import.meta.dirname, '..', '..');
/** What commands make. A clone of the repository has none of it. */
const made = ['node_modules', 'dist', 'dist-server', 'data', 'build', 'coverage', 'test-results', 'test-reports', '.git', '.wireit'];

/**
 * Makes a folder with the sources of this checkout, as after a clone, and its packages as links to the same files: an installation finds them
 * there. A command in the copy may remove packages. `name`: of the folder. `keepsCache`: of the bundle of the tests, as in a checkout that was copied
 * with its packages, which are files of its own then. `remove` removes the folder.
 */
export async function copyRepository({ name = 'artel', keepsCache = false } = {}): Promise<{ path: string; remove: () => Promise<void> }> {
  const folder = await makeOpenFolder();
  const path = join(folder.path, name);
  await cp(root, path, { recursive: true, filter: (source) => !made.some((name) => source === join(root, name)) });
  const packages = join(path, 'node_modules');
  const copyPackages = () => run('cp', ['-a', join(root, 'node_modules'), path]);
  // A link to a file counts as a change of it, and a watching server starts again at each. Linking takes two seconds, and fails across file systems.
  if (keepsCache) await copyPackages();
  else await run('cp', ['-al', join(root, 'node_modules'), packages]).catch(copyPackages);
  if (!keepsCache) await run('rm', ['-rf', join(packages, '.cache')]);
  // npm writes this file in place: the copy needs one of its own.
  const list = join(packages, '.package-lock.json');
  await cp(list, `${list}.own`);
  await rename(`${list}.own`, list);
  return { path, remove: folder.remove };
}

const run = promisify(execFile);
