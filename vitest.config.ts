import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { problemOfPath } from './scripts/checkout-path.ts';
import { coreFaults, filesAtOnce, killPoints, restIntegration, timedAlone, withBothKinds, withOwnDatabase } from './tests/suites.ts';
import { amountOf } from './tests/support/amounts.ts';

const problem = problemOfPath(import.meta.dirname);
if (problem) throw new Error(problem);

/** For the process that begins here, and for those of the tests. */
const setupFiles = import.meta.dirname.includes('%') ? ['tests/support/import-by-url.ts'] : [];
if (setupFiles.length > 0) await import('./tests/support/import-by-url.ts');

/** How long a test with a server waits for a state (ms): longer than any needs on a machine that does ten things at once. */
const poll = { timeout: 60_000 };

const unit = {
  environment: 'node' as const,
  // A thread starts sooner than a process.
  pool: 'threads' as const,
  testTimeout: 20_000,
  expect: { poll: { timeout: 15_000 } },
  setupFiles,
};
const unitFiles = globSync('tests/unit/**/*.test.{ts,tsx}');
/** Files that replace modules, globals or clocks: each has its own. */
const replacing = /\bvi\.(mock|doMock|hoisted|resetModules|stubGlobal|stubEnv|useFakeTimers)\b|\bglobalThis\.\w+ = /;
const replacingFiles = unitFiles.filter((file) => replacing.test(readFileSync(file, 'utf8')));

/** Each file has time to begin: they start processes of their own. */
const integration = {
  environment: 'node',
  expect: { poll },
  pool: 'forks' as const,
  maxWorkers: filesAtOnce,
  testTimeout: 240_000,
  hookTimeout: 240_000,
  setupFiles,
};

/** Servers run in the process of their tests, and bundled code in others: Node loads the modules once for all files of a worker. */
const loadedOnce = { isolate: false, experimental: { viteModuleRunner: false, nodeLoader: false } };

/** Counts are the same at any load: no test of them fails because a machine is busy. */
const unhurried = { testTimeout: 600_000, hookTimeout: 600_000 };

/** Each server of these suites has a database of its own. */
const ownDatabaseSetup = ['tests/support/bundle-server.ts', 'tests/support/data-folder-template.ts'];

const faults = {
  environment: 'node' as const,
  expect: { poll },
  pool: 'forks' as const,
  testTimeout: 300_000,
  hookTimeout: 240_000,
  globalSetup: ownDatabaseSetup,
  setupFiles,
};

/** Each server uses one PostgreSQL and one NATS, which all tests of the suite share. */
const sharedServices = { globalSetup: ['tests/support/shared-services.ts'] };

/** `tests/suites.ts` says which tests are in which suite. */
export default defineConfig({
  test: {
    projects: [
      // To load the modules anew for each file takes more of the processor than the tests.
      { test: { ...unit, name: 'unit', include: unitFiles, exclude: replacingFiles, isolate: false } },
      { test: { ...unit, name: 'unit-isolated', include: replacingFiles } },
      {
        test: {
          ...integration,
          ...sharedServices,
          name: 'integration',
          ...loadedOnce,
          include: ['tests/integration/**/*.test.ts'],
          exclude: [...withOwnDatabase, ...restIntegration],
        },
      },
      { test: { ...integration, ...sharedServices, ...loadedOnce, name: 'integration-rest', include: restIntegration } },
      {
        test: {
          ...integration,
          name: 'integration-embedded',
          include: [...withOwnDatabase, ...withBothKinds],
          // Several suites may run in one process.
          env: { ARTEL_TEST_POSTGRES: '', ARTEL_TEST_NATS: '', ARTEL_TEST_INTERVALS: '' },
          globalSetup: ownDatabaseSetup,
        },
      },
      {
        test: {
          ...integration,
          ...unhurried,
          name: 'ceilings',
          include: ['tests/ceilings/**/*.test.ts'],
          globalSetup: ownDatabaseSetup,
        },
      },
      { test: { ...faults, name: 'faults', include: [...coreFaults, ...killPoints], maxWorkers: 2, env: { TEST_AMOUNTS: 'few' } } },
      {
        test: {
          ...faults,
          name: 'faults-rest',
          include: ['tests/faults/**/*.test.ts'],
          exclude: [...coreFaults, ...timedAlone, ...amountOf({ some: killPoints, whole: [] })],
          maxWorkers: 3,
          // Projects of one process that have different numbers of workers run one after another.
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...faults,
          name: 'faults-alone',
          include: timedAlone,
          maxWorkers: 1,
          // After the others, where all run in one process.
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
