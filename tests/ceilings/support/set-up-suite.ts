import { setup as bundleServer } from '../../support/bundle-server.ts';
import { startSharedPostgres } from '../../support/database/shared-postgres.ts';

/** Runs once before the suite: a PostgreSQL that counts what statements cost, and the bundled server. */
export async function setup(): Promise<() => Promise<void>> {
  const [stopPostgres] = await Promise.all([startSharedPostgres(['pg_stat_statements']), bundleServer()]);
  return stopPostgres;
}
