import { join } from 'node:path';
import type { Database } from '../../server/platform/database/database.ts';
import { migrate } from '../../server/platform/database/migrate.ts';
import { openDatabase } from '../../server/platform/database/open-database.ts';
import { openPools } from '../../server/platform/database/open-pools.ts';
import { copyDataFolder } from './data-folder-template.ts';
import { makeOpenFolder } from './database/make-open-folder.ts';
import { makeDatabase } from './test-services.ts';

export const migrationsFolder = join(import.meta.dirname, '..', '..', 'server', 'migrations');

export type TestDatabase = Database & { dataDir: string; notes: string[]; remove: () => Promise<void> };

/**
 * Opens a new migrated database: an embedded PostgreSQL in this process, or a database on the shared PostgreSQL of the suite.
 * `remove` deletes it.
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  const folder = await makeOpenFolder();
  const dataDir = join(folder.path, 'data folder');
  const notes: string[] = [];
  const note = (line: string) => notes.push(line);
  const external = await makeDatabase();
  const database = external === null ? await openEmbedded(dataDir, note) : openCopy(external.url, note);
  return {
    ...database,
    dataDir,
    notes,
    remove: async () => {
      await database.close();
      await external?.remove();
      await folder.remove();
    },
  };
}

async function openEmbedded(dataDir: string, note: (line: string) => void): Promise<Database> {
  await copyDataFolder(dataDir);
  const database = await openDatabase({ kind: 'embedded', dataDir }, note);
  await migrate(database.pool, migrationsFolder);
  return database;
}

/** A copy of the migrated database was just made: nothing is to be waited for or migrated. */
function openCopy(url: string, note: (line: string) => void): Database {
  const { end, ...pools } = openPools({ connectionString: url }, note);
  return { ...pools, connectionString: url, embedded: false, state: () => 'running', untilAnswers: async () => {}, close: end };
}
