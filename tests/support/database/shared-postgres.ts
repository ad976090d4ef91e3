import { join } from 'node:path';
import pg from 'pg';
import { startLocalPostgres } from '../../../scripts/cluster/local-postgres.ts';
import { migrateAt } from '../../../server/platform/database/migrate.ts';
import { migratedDatabase, serviceVariables } from '../test-services.ts';
import { makeOpenFolder } from './make-open-folder.ts';

const migrationsFolder = join(import.meta.dirname, '../../../server/migrations');

/**
 * Starts the packaged PostgreSQL on loopback TCP for all tests of a suite, with a migrated database, of which each test gets a copy.
 * It keeps nothing safe and cleans nothing up: no test of these suites ends it, and each database is removed after its file. Resolves with the
 * function that stops it.
 */
export async function startSharedPostgres(): Promise<() => Promise<void>> {
  const folder = await makeOpenFolder();
  const postgres = await startLocalPostgres(join(folder.path, 'postgres'));
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum'])
    await client.query(`ALTER SYSTEM SET ${setting} = off`);
  await client.query('SELECT pg_reload_conf()');
  await client.query(`CREATE DATABASE ${migratedDatabase}`);
  await client.end();
  const url = new URL(postgres.url);
  url.pathname = `/${migratedDatabase}`;
  await migrateAt(url.href, migrationsFolder);
  process.env[serviceVariables.postgres] = postgres.url;
  return async () => {
    await postgres.stop();
    await folder.remove();
  };
}
