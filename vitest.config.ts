import { defineConfig } from 'vitest/config';

/** How long a test waits for a state (ms). A slow machine needs more than the second that is usual. */
const poll = { timeout: 20_000 };

/** Three files at most run at once, of which one waits on average. Each has time to begin: they start processes of their own. */
const integration = {
  environment: 'node',
  expect: { poll },
  pool: 'forks' as const,
  maxWorkers: 3,
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

const files = (names: string[]) => names.map((name) => `tests/integration/${name}.test.ts`);

/** Tests of the embedded database, and tests that start their own database or several nodes. */
const withOwnDatabase = files([
  ...['cluster/cluster', 'cluster/several-nodes'],
  ...['database/backup', 'database/backup-place', 'database/embedded-binaries', 'database/foreign-postmaster'],
  'operation/loaded-modules',
]);

/** Tests whose code path depends on the database or the bus of the server: they run with both kinds. */
const withBothKinds = files([
  ...['database/database', 'http/http', 'http/realtime', 'operation/metrics', 'operation/server-process'],
  ...['executions/commands', 'executions/execution-calls', 'executions/execution-files', 'executions/executions'],
  ...['executions/results', 'executions/thoughts'],
]);

/** Files of `faults` that compare one user's waiting times: a server that another file starves or kills beside them would add to these. */
const timedAlone = ['tests/faults/worst-inputs.test.ts', 'tests/faults/poisoned-runs.test.ts', 'tests/faults/large-bodies.test.ts'];

/** Each server of these suites has a database of its own. */
const ownDatabaseSetup = ['tests/support/bundle-server.ts', 'tests/support/data-folder-template.ts'];

const faults = {
  environment: 'node' as const,
  expect: { poll },
  pool: 'forks' as const,
  testTimeout: 180_000,
  hookTimeout: 120_000,
  globalSetup: ownDatabaseSetup,
};

/**
 * Five suites: `unit` (pure and fast), `integration` (real servers on one PostgreSQL and one NATS that all tests share),
 * `integration-embedded` (what depends on the database and the bus that come with the server), `faults` (servers that are killed) and
 * `faults-alone` (waiting times, one file at a time).
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          include: ['tests/unit/**/*.test.{ts,tsx}'],
          // A thread starts sooner than a process.
          pool: 'threads',
          testTimeout: 20_000,
          expect: { poll: { timeout: 15_000 } },
        },
      },
      {
        test: {
          ...integration,
          name: 'integration',
          include: ['tests/integration/**/*.test.ts'],
          exclude: withOwnDatabase,
          globalSetup: ['tests/support/shared-services.ts'],
        },
      },
      {
        test: {
          ...integration,
          name: 'integration-embedded',
          include: [...withOwnDatabase, ...withBothKinds],
          // Both suites may run in one process.
          env: { ARTEL_TEST_POSTGRES: '', ARTEL_TEST_NATS: '' },
          globalSetup: ownDatabaseSetup,
        },
      },
      {
        test: {
          ...faults,
          name: 'faults',
          include: ['tests/faults/**/*.test.ts'],
          exclude: timedAlone,
          maxWorkers: 2,
        },
      },
      {
        test: {
          ...faults,
          name: 'faults-alone',
          include: timedAlone,
          maxWorkers: 1,
          // After the others, where both run in one process.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
