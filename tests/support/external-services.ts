import { join } from 'node:path';
import { findNats, natsMissing, startLocalNats } from '../../scripts/cluster/local-nats.ts';
import { startLocalPostgres } from '../../scripts/cluster/local-postgres.ts';
import { makeOpenFolder } from './make-open-folder.ts';
import { serviceVariables } from './test-services.ts';

/**
 * Runs once before the suite `integration-external`. Starts a second instance of the packaged PostgreSQL on loopback TCP and a NATS
 * server. Every test of the suite uses them in place of the embedded database and the bus inside the process.
 */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await makeOpenFolder();
  const postgres = await startLocalPostgres(join(folder.path, 'postgres'));
  process.env[serviceVariables.postgres] = postgres.url;
  const nats = findNats() === null ? null : await startLocalNats();
  if (nats === null) console.log(`${natsMissing} Without it these tests run on the bus inside the process.`);
  else process.env[serviceVariables.nats] = nats.url;
  return async () => {
    await nats?.stop();
    await postgres.stop();
    await folder.remove();
  };
}
