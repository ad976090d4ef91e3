import { join } from 'node:path';
import type { Database } from '../../server/platform/database/database.ts';
import { migrate } from '../../server/platform/database/migrate.ts';
import { openDatabase } from '../../server/platform/database/open-database.ts';
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
  const external = await makeDatabase();
  if (external === null) await copyDataFolder(dataDir);
  const note = (line: string) => notes.push(line);
  const database = await openDatabase(external === null ? { kind: 'embedded', dataDir } : { kind: 'external', url: external.url }, note);
  await migrate(database.pool, migrationsFolder);
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
