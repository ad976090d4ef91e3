import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../server/platform/database/database.ts';
import { migrate } from '../../server/platform/database/migrate.ts';
import { openDatabase } from '../../server/platform/database/open-database.ts';

export const migrationsFolder = join(import.meta.dirname, '..', '..', 'server', 'migrations');

export type TestDatabase = Database & { folder: string; dataDir: string; notes: string[]; remove: () => Promise<void> };

/** A migrated PostgreSQL of its own, in this process; `remove` ends it and leaves nothing behind. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'artel-db-'));
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'data folder');
  const notes: string[] = [];
  const database = await openDatabase({ kind: 'embedded', dataDir }, (line) => notes.push(line));
  await migrate(database.pool, migrationsFolder);
  return {
    ...database,
    folder,
    dataDir,
    notes,
    remove: async () => {
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
