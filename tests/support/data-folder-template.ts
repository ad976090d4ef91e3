import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrate } from '../../server/platform/database/migrate.ts';
import { openDatabase } from '../../server/platform/database/open-database.ts';
import { makeOpenFolder } from './database/make-open-folder.ts';
import { serviceVariables } from './test-services.ts';

const migrationsFolder = join(import.meta.dirname, '..', '..', 'server', 'migrations');

/**
 * Runs once before a suite whose servers have embedded databases: makes a data folder with a migrated database, of which each of them gets
 * a copy. Creating one takes a processor two seconds. Resolves with the function that removes it.
 */
export async function setup(): Promise<() => Promise<void>> {
  // Windows has no `cp`: each server creates its own there.
  if (process.platform === 'win32') return async () => {};
  const folder = await makeOpenFolder();
  const dataDir = join(folder.path, 'data');
  const database = await openDatabase({ kind: 'embedded', dataDir }, () => {});
  await migrate(database.pool, migrationsFolder);
  await database.close();
  process.env[serviceVariables.dataFolder] = dataDir;
  return folder.remove;
}

/** Copies the suite's data folder to a path where nothing is, with the owners of its files. Does nothing in a suite that has none. */
export async function copyDataFolder(target: string): Promise<void> {
  const template = process.env[serviceVariables.dataFolder] || null;
  if (template !== null && !existsSync(target)) await promisify(execFile)('cp', ['-a', template, target]);
}
