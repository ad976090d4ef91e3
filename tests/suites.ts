import { availableParallelism } from 'node:os';
import { amountOf } from './support/amounts.ts';

/**
 * Which tests run in which suite. `npm test` runs the suites `unit`, `integration`, `ceilings`, `e2e` and `faults`, `npm run test:rest` the others. Each
 * feature has a test in `npm test`. What leaves it are amounts, hostile inputs, long waits, and further cases of a feature. A browser test
 * leaves it by the tag `@rest`, or by `@rest-nightly` for `npm run test:nightly` alone: its rule has a cheaper test, or another one in a browser.
 */
const integration = (folder: string, names: string[]) => names.map((name) => `tests/integration/${folder}/${name}.test.ts`);
const e2e = (folder: string, names: string[]) => names.map((name) => `tests/e2e/${folder}${name}.spec.ts`);
const faults = (names: string[]) => names.map((name) => `tests/faults/${name}.test.ts`);

export const restTag = '@rest';
export const nightlyTag = '@rest-nightly';

/** Files of tests that run at once. On two processors one of three waits on average; the shared PostgreSQL has connections for four. */
export const filesAtOnce = Math.min(4, Math.max(3, availableParallelism()));

/** Browser tests of windows, panels and accounts: their pages list the cards in place of drawing them, which takes a third less of the processor. */
export const withoutCanvas = [
  ...e2e('', ['account', 'api-keys', 'connect', 'console-commands', 'email-verification', 'modals', 'nothing-lost', 'projects', 'push']),
  ...e2e('', ['released-teams', 'session', 'team-versions', 'telegram', 'tool-sign-ins']),
  ...e2e('pages/', ['dead-letters', 'language', 'leads']),
  ...e2e('runs/', ['budgets', 'executed-tests', 'history', 'rerun', 'run-files']),
  ...e2e('windows/', ['account', 'dead-letters', 'device', 'first-sight', 'person', 'plans', 'projects', 'sidebar', 'sign-in', 'triggers']),
];

/** Tests of the embedded database, and tests that start their own database or several nodes. */
export const withOwnDatabase = [
  ...integration('cluster', ['cluster', 'several-nodes']),
  ...integration('database', ['backup', 'backup-place', 'embedded-binaries', 'foreign-postmaster']),
  ...integration('operation', ['loaded-modules']),
];

/** Tests whose code path depends on the database or the bus of the server: some run with both kinds in each run, all of them in a whole one. */
export const withBothKinds = [
  ...integration('database', ['database']),
  ...integration('executions', [
    'thoughts',
    ...amountOf({ some: [], whole: ['commands', 'execution-calls', 'execution-files', 'executions', 'results'] }),
  ]),
  ...integration('http', ['realtime', ...amountOf({ some: [], whole: ['http'] })]),
  ...integration('operation', ['server-process', ...amountOf({ some: [], whole: ['metrics'] })]),
];

/** Tests of amounts, floods and hostile inputs, and tests that wait for time limits. */
export const restIntegration = [
  ...integration('accounts', ['lockout']),
  ...integration('budgets', ['cancelled-costs']),
  ...integration('database', ['database-pools', 'restore', 'upgrades']),
  ...integration('executions', ['command-places', 'execution-lists', 'group-limit', 'left-trials', 'run-limits']),
  ...integration('files', ['base-files', 'changed-files', 'fetch-tree', 'git-changes', 'git-commits']),
  ...integration('http', ['account-turns', 'hostile-bodies', 'large-responses', 'socket-limits']),
  ...integration('models', ['third-party-mocks']),
  ...integration('operation', ['copied-checkout', 'documented-commands', 'flaky-tests', 'image', 'package', 'server-process', 'traces']),
  ...integration('runner', ['hostile-jobs', 'runner-program']),
  ...integration('tools', ['lying-tool-servers', 'operator-tool-servers']),
];

/** The fault tests of `npm test`: a killed server, a lost database, a lost answer, and ten of the points of `killPoints`. */
export const coreFaults = faults(['kill-before-answer', 'kill-server', 'lost-database']);

/** Kills a server at points of a run: at ten in `npm test`, at each in `npm run test:nightly`. */
export const killPoints = faults(['kill-every-write']);

/** Files of `faults` that compare one user's waiting times: a server that another file starves or kills beside them would add to these. */
export const timedAlone = faults(['worst-inputs', 'poisoned-runs', 'large-bodies', 'large-reads', 'largest-base', 'greedy-account']);
