import { startEmbeddedPostgres } from '../../server/platform/database/embedded/embedded-postgres.ts';
import { freePort } from '../../server/platform/database/embedded/free-port.ts';

export type LocalPostgres = {
  /** For `DATABASE_URL`. It holds the password. */
  url: string;
  /** Ends PostgreSQL; its files stay. */
  stop: () => Promise<void>;
  /** Starts it again at the same address. */
  start: () => Promise<void>;
};

/**
 * The PostgreSQL that comes with Artel, on loopback TCP, so that several servers can use it as an external one. It keeps its
 * files in `folder`, and is started again when it dies by itself. `note` is told what an operator should know.
 */
export async function startLocalPostgres(folder: string, note: (line: string) => void = () => {}): Promise<LocalPostgres> {
  let postgres = await startEmbeddedPostgres(folder, note, { host: '127.0.0.1', port: await freePort() });
  const { host, port, user, password, database } = postgres.connection;
  return {
    url: `postgresql://${user}:${password}@${host}:${port}/${database}`,
    stop: () => postgres.stop(),
    start: async () => {
      postgres = await startEmbeddedPostgres(folder, note, { host, port });
    },
  };
}
