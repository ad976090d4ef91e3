import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNats, natsMissing } from './cluster/local-nats.ts';
import { installDebianPackage } from './debian-package.ts';
import { ensureBrowser } from './ensure-browser.ts';
import { formatFailure } from './test-run/failures.ts';
import { inTurn } from './test-run/in-turn.ts';
import { runSuite, type Suite, type SuiteResult } from './test-run/run-suite.ts';
import { addTallies, formatTally } from './test-run/tally.ts';

/**
 * `npm test`: all suites. Two run at the same time: the integration and fault tests wait for much of their time, and leave a processor to
 * those that compute. A failed suite does not stop the later ones. The last line has the totals, and the exit status is 0 only without
 * failures. `npm test -- unit e2e` runs only the named suites.
 */
const root = join(import.meta.dirname, '..');
const module = (path: string) => join(root, 'node_modules', path);
const vitest = (project: string, before?: Suite['before']): Suite => ({
  name: project,
  ...(before && { before }),
  command: [module('vitest/vitest.mjs'), 'run', '--project', project, '--reporter=default', '--reporter=json'],
  report: { format: 'vitest', option: '--outputFile.json=' },
});

const suites: Suite[] = [
  // Others read the files that it replaces.
  { name: 'build', command: [module('vite/bin/vite.js'), 'build', '--logLevel', 'warn'], alone: true },
  { name: 'types', command: [join(root, 'scripts/types.ts')] },
  vitest('unit'),
  { name: 'lint', command: [module('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'] },
  { name: 'weight', command: [join(root, 'scripts/page-weight.ts')] },
  // It waits for servers and sockets, and has three workers: a suite beside it makes it late.
  { ...vitest('integration', ensureNats), alone: true },
  {
    name: 'e2e',
    command: [module('playwright/cli.js'), 'test', '--reporter=list,json'],
    report: { format: 'playwright', variable: 'PLAYWRIGHT_JSON_OUTPUT_FILE' },
    before: ensureBrowser,
    // Three browsers use both processors.
    alone: true,
  },
  // The longer one first.
  vitest('faults', ensureNats),
  vitest('integration-embedded', ensureNats),
  // They compare waiting times.
  { ...vitest('faults-alone', ensureNats), alone: true },
];
const suitesAtOnce = 2;
/** Whether a missing NATS server was looked for: a later suite does not ask again. */
let isNatsSought = false;

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !suites.some((suite) => suite.name === name));
if (unknown.length > 0) {
  console.error(`No such suite: ${unknown.join(', ')}. There are ${suites.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'artel-test-'));
const startedAt = performance.now();
const chosen = suites.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
let results: ({ name: string; seconds: number } & SuiteResult)[];
try {
  results = await inTurn(chosen, suitesAtOnce, async (suite) => {
    console.log(`\n── ${suite.name}`);
    const from = performance.now();
    const result = await runSuite(suite, { root, folder, several: chosen.length > 1 });
    return { name: suite.name, seconds: (performance.now() - from) / 1_000, ...result };
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const failures = results.flatMap(({ failures }) => failures);
if (failures.length > 0) console.log(`\n── what failed\n${failures.map(formatFailure).join('\n')}`);
console.log(`\n── all, in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
for (const { name, tally, seconds } of results) {
  console.log(`${tally.failed === 0 ? '✓' : '✗'} ${name.padEnd(20)} ${formatTally(tally)} in ${seconds.toFixed(1)} s`);
}
const total = addTallies(results.map(({ tally }) => tally));
console.log(`\n${formatTally(total)}`);
process.exitCode = total.failed === 0 ? 0 : 1;

/**
 * Provides a NATS server for the tests of several servers, and installs Debian's as root. Without one it prints
 * one line and returns null, since all other tests can run.
 */
async function ensureNats(): Promise<null> {
  if (findNats() !== null || isNatsSought) return null;
  isNatsSought = true;
  console.log('No nats-server found: looking for the one of Debian.');
  installDebianPackage('nats-server');
  if (findNats() === null) console.log(`${natsMissing} The tests that are about it are left out.`);
  return null;
}
