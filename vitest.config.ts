import { defineConfig } from 'vitest/config';

/** Two files at most run at once, and each has time to begin: they start processes of their own. */
const integration = {
  environment: 'node',
  include: ['tests/integration/**/*.test.ts'],
  pool: 'forks' as const,
  maxWorkers: 2,
  testTimeout: 60_000,
  hookTimeout: 120_000,
};

/** What neither database nor bus has a part in, or what brings its own. */
const withoutServices = [
  ...['backup', 'cluster', 'several-nodes', 'llm', 'nats-bus', 'publish-build', 'settings', 'static-files'],
  ...['egress', 'gigachat-tokens', 'model-adapters', 'providers', 'traces'],
  ...['hostile-bodies', 'run-limits', 'socket-limits', 'large-responses'],
  ...['atomic-writes', 'backup-place', 'embedded-binaries', 'foreign-postmaster', 'kept-pieces'],
];

/**
 * Four suites: `unit` (pure and fast), `integration` (a real server and database a file), the same with an external PostgreSQL and
 * NATS in place of what comes with the server, and `faults` (servers that are killed).
 */
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', environment: 'node', include: ['tests/unit/**/*.test.{ts,tsx}'], testTimeout: 20_000 } },
      { test: { ...integration, name: 'integration' } },
      {
        test: {
          ...integration,
          name: 'integration-external',
          exclude: withoutServices.map((name) => `tests/integration/${name}.test.ts`),
          globalSetup: ['tests/support/external-services.ts'],
        },
      },
      {
        test: {
          name: 'faults',
          environment: 'node',
          include: ['tests/faults/**/*.test.ts'],
          pool: 'forks',
          maxWorkers: 2,
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
