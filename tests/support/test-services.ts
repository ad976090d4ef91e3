import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Intervals } from '../../server/intervals.ts';

/** The variables by which the setup of a suite tells its tests of the services that they share. */
export const serviceVariables = {
  postgres: 'ARTEL_TEST_POSTGRES',
  nats: 'ARTEL_TEST_NATS',
  server: 'ARTEL_TEST_SERVER',
  dataFolder: 'ARTEL_TEST_DATA_FOLDER',
  intervals: 'ARTEL_TEST_INTERVALS',
  keptPorts: 'ARTEL_TEST_KEPT_PORTS',
} as const;

const postgresUrl = process.env[serviceVariables.postgres] || null;

/** The NATS server that the tests share; null when each server has its own bus. */
export const natsUrl = process.env[serviceVariables.nats] || null;

/** The intervals of servers in suites that only wait for them; empty where servers have their usual ones. */
export const shortIntervals = process.env[serviceVariables.intervals] ?? '';

/** Shortens the intervals of the servers that the tests of a suite start. Called once before the suite. */
export function shortenIntervals(): void {
  const intervals: Intervals = {
    heartbeatSeconds: 8,
    superviseMs: 1_000,
    recoverMs: 3_000,
    suspectWatchMs: 5_000,
    suspectPauseMs: 1_000,
    questionWatchMs: 1_000,
    leavingWatchMs: 1_000,
    telegramPauseMs: 500,
  };
  process.env[serviceVariables.intervals] = JSON.stringify(intervals);
}

/** Whether a server gets the port of an earlier one of its process (`server/kept-ports.ts`). */
export const arePortsKept = process.env[serviceVariables.keptPorts] === 'on';

/** Makes the servers of a suite's tests keep their ports. Called once before the suite. */
export function keepPorts(): void {
  process.env[serviceVariables.keptPorts] = 'on';
}

/** The bundled server that the tests of the suite start; undefined when they start its source. */
export const bundledServer = process.env[serviceVariables.server] || undefined;

/** False while the tests share an external PostgreSQL. Tests of the embedded database or its folder run only when it is true. */
export const databaseIsEmbedded = postgresUrl === null;

/** The database on the shared PostgreSQL that new databases are copies of. */
export const migratedDatabase = 'migrated';

export type FreshDatabase = { url: string; remove: () => Promise<void> };

/**
 * What creates and removes databases: one connection for all tests of a process, since to open one takes PostgreSQL longer than most
 * statements. It does not keep the process running.
 */
const administration =
  postgresUrl === null ? null : new pg.Pool({ connectionString: postgresUrl, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
// PostgreSQL ends before the last processes of the suite.
administration?.on('error', () => {});

/** Creates a migrated database on the PostgreSQL that the tests share; null when there is none. */
export async function makeDatabase(): Promise<FreshDatabase | null> {
  if (postgresUrl === null || administration === null) return null;
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // To copy the files takes half of the processor of the usual way, which logs each page.
  await administration.query(`CREATE DATABASE ${name} TEMPLATE ${migratedDatabase} STRATEGY file_copy`);
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    remove: async () => {
      await administration.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}
