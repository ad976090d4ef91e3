/**
 * Which tests run in which suite. `npm test` runs the suites `unit`, `integration`, `e2e` and `faults`, `npm run test:rest` the others. Each
 * feature has a test in `npm test`. What leaves it are amounts, hostile inputs, long waits, and further cases of a feature. A browser test
 * leaves it by the tag `@rest`.
 */
const integration = (names: string[]) => names.map((name) => `tests/integration/${name}.test.ts`);
const faults = (names: string[]) => names.map((name) => `tests/faults/${name}.test.ts`);

export const restTag = '@rest';

/** Browser tests of windows, panels and accounts: their pages list the cards in place of drawing them, which takes a third less of the processor. */
export const withoutCanvas = [
  ...['account', 'email-verification', 'nothing-lost', 'projects', 'session', 'tool-sign-ins'],
  ...['pages/dead-letters', 'pages/language', 'pages/leads'],
  ...['runs/budgets', 'runs/executed-tests', 'runs/history', 'runs/rerun', 'runs/run-files'],
].map((name) => `tests/e2e/${name}.spec.ts`);

/** Tests of the embedded database, and tests that start their own database or several nodes. */
export const withOwnDatabase = integration([
  ...['cluster/cluster', 'cluster/several-nodes'],
  ...['database/backup', 'database/backup-place', 'database/embedded-binaries', 'database/foreign-postmaster'],
  'operation/loaded-modules',
]);

/** Tests whose code path depends on the database or the bus of the server: they run with both kinds. */
export const withBothKinds = integration([
  ...['database/database', 'http/http', 'http/realtime', 'operation/metrics', 'operation/server-process'],
  ...['executions/commands', 'executions/execution-calls', 'executions/execution-files', 'executions/executions'],
  ...['executions/results', 'executions/thoughts'],
]);

/** Tests of amounts, floods and hostile inputs, and tests that wait for time limits. */
export const restIntegration = integration([
  ...['accounts/lockout', 'budgets/cancelled-costs', 'database/database-pools', 'database/restore'],
  ...['executions/command-places', 'executions/execution-lists', 'executions/group-limit', 'executions/left-trials'],
  ...['files/base-files', 'files/fetch-tree', 'files/git-commits'],
  ...['http/account-turns', 'http/hostile-bodies', 'http/large-responses', 'http/socket-limits'],
  ...['operation/traces', 'tools/lying-tool-servers', 'tools/operator-tool-servers'],
]);

/** The fault tests of `npm test`: a killed server, a lost database, a lost answer, and ten of the points of `killPoints`. */
export const coreFaults = faults(['kill-before-answer', 'kill-server', 'lost-database']);

/** Kills a server at points of a run: at ten in `npm test`, at every fifth in `npm run test:rest`. */
export const killPoints = faults(['kill-every-write']);

/** Files of `faults` that compare one user's waiting times: a server that another file starves or kills beside them would add to these. */
export const timedAlone = faults(['worst-inputs', 'poisoned-runs', 'large-bodies']);
