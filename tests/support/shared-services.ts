import { findNats, natsMissing, startLocalNats } from '../../scripts/cluster/local-nats.ts';
import { setup as bundleServer } from './bundle-server.ts';
import { startSharedPostgres } from './database/shared-postgres.ts';
import { serviceVariables, shortenIntervals } from './test-services.ts';

/** Runs once before the suite `integration`: its tests use this PostgreSQL and this NATS in place of the server's own, and the bundled server. */
export async function setup(): Promise<() => Promise<void>> {
  shortenIntervals();
  const [stopPostgres] = await Promise.all([startSharedPostgres(), bundleServer()]);
  const nats = findNats() === null ? null : await startLocalNats();
  if (nats === null) console.log(`${natsMissing} Without it these tests run on the bus inside the process.`);
  else process.env[serviceVariables.nats] = nats.url;
  return async () => {
    await nats?.stop();
    await stopPostgres();
  };
}
