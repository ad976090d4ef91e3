import { setup as bundleServer } from '../bundle-server.ts';
import { startSharedPostgres } from '../database/shared-postgres.ts';
import { keepPorts, shortenIntervals } from '../test-services.ts';

/** Runs once before the suite `e2e`: its servers are the bundled one, on one PostgreSQL, and keep their ports. Resolves with the function that stops it. */
// biome-ignore lint/style/noDefaultExport: Playwright takes the default export of a file.
export default async function startSharedServices(): Promise<() => Promise<void>> {
  shortenIntervals();
  keepPorts();
  const [stopPostgres] = await Promise.all([startSharedPostgres(), bundleServer()]);
  return stopPostgres;
}
