import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyDataFolder } from '../data-folder-template.ts';
import { makeOpenFolder } from '../database/make-open-folder.ts';
import { type FreshDatabase, makeDatabase, natsUrl, serviceVariables, shortIntervals } from '../test-services.ts';

export type ServerOptions = {
  /** Settings on top of a bare environment: the server gets nothing from the environment of the tests. */
  env?: Record<string, string>;
  /** An existing data folder. By default a new one, which `stop` removes. */
  dataDir?: string;
  /** 0 (the default) lets the system choose. */
  port?: number;
  /** True starts the server's embedded database, even if the suite shares another one. */
  ownDatabase?: boolean;
  /** True starts the server's sources, as `npm run dev` does, in a data folder that it creates itself. */
  fromSources?: boolean;
};

type ServerEnvironment = {
  env: Record<string, string>;
  dataDir: string;
  /** The folder that was made for this server; null when the data folder was given. */
  made: string | null;
  /** Removes the database and the folder that were made for the server. */
  remove: () => Promise<void>;
};

/** Databases of servers on a shared external PostgreSQL, by data folder: a restarted server finds its own database. */
const external = new Map<string, FreshDatabase>();

/** Makes what a server needs beside its program: its settings, a data folder, and a database on the PostgreSQL that the suite shares. */
export async function makeServerEnvironment(options: ServerOptions): Promise<ServerEnvironment> {
  const made = options.dataDir === undefined ? (await makeOpenFolder()).path : null;
  const dataDir = options.dataDir ?? join(made as string, 'data');
  const services = options.ownDatabase ? {} : await sharedServices(dataDir, options.env);
  const isEmbedded = !('DATABASE_URL' in { ...services, ...options.env });
  if (made && isEmbedded && !options.fromSources) await copyDataFolder(dataDir);
  return {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      TMPDIR: tmpdir(),
      PORT: String(options.port ?? 0),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'info',
      // An answer that does not match its schema fails its test.
      NODE_ENV: 'test',
      // Waiting calls do not delay the end of a test.
      ARTEL_DRAIN_SECONDS: '1',
      ARTEL_SIMULATED_ANSWER_MS: '500',
      // What runs on this machine beside the tests is nothing to them.
      ARTEL_LOCAL_MODELS: 'off',
      [serviceVariables.intervals]: shortIntervals,
      ...services,
      ...options.env,
    },
    dataDir,
    made,
    remove: async () => {
      await external.get(dataDir)?.remove();
      external.delete(dataDir);
      if (made) await rm(made, { recursive: true, force: true });
    },
  };
}

async function sharedServices(dataDir: string, given: Record<string, string> = {}): Promise<Record<string, string>> {
  const bus: Record<string, string> = natsUrl === null ? {} : { NATS_URL: natsUrl };
  if (given.DATABASE_URL !== undefined) return bus;
  const database = external.get(dataDir) ?? (await makeDatabase());
  if (database === null) return bus;
  external.set(dataDir, database);
  return { ...bus, DATABASE_URL: database.url, ARTEL_SECRET_KEY: 'a secret that all tests of the suite share' };
}
