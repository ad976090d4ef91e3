import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatFailure } from './test-run/failures.ts';
import { forgive, formatFlaky, type NamedResult } from './test-run/flaky.ts';
import { readFlakyRecord, rerunFailed } from './test-run/rerun-failed.ts';
import { runInGroup } from './test-run/run-in-group.ts';
import { readResult, removeResult, runVariable } from './test-run/suite-results.ts';
import { addTallies, formatTally } from './test-run/tally.ts';

/**
 * `npm test`, `npm run test:rest` and `npm run test:all`: the suites of package.json's section `wireit`, two at a time within a group, and
 * one group after another. wireit skips a suite whose inputs have not changed since it passed. A failed suite does not stop the later ones.
 * `npm run test:nightly` runs the suites of amounts with all of them, which takes hours.
 * The last line has the totals, and the exit status is 0 only without failures. `npm test -- unit e2e` runs only the named suites.
 * `node scripts/test.ts rerun` runs the files of failed tests of the commands before it once more. `node scripts/test.ts total` sums up what
 * these commands have run: a test that passed in its rerun is named as flaky.
 */
const root = join(import.meta.dirname, '..');
/** A suite alone in its group compares waiting times, or uses both processors. */
const groups = {
  core: ['checks', 'servers', 'e2e'],
  rest: ['build', 'e2e-rest', 'servers-rest', 'faults-alone'],
  nightly: ['build', 'e2e-rest', 'servers-rest', 'faults-alone'],
};
type Command = keyof typeof groups;
type Config = { wireit: Record<string, { command?: string; dependencies?: (string | { script: string })[] }> };
const { wireit } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Config;

const isCommand = (word: string): word is Command => word in groups;
const words = process.argv.slice(2);
const commands = words.filter(isCommand);
const isStep = (word: string) => word === 'rerun' || word === 'total';
const isTotal = words.some(isStep);
const allGroups = [...new Set(Object.values(groups).flat())];
const allSuites = allGroups.flatMap(suitesOf);
/** `--shard=1/3`: the runners play this part of each suite. */
const isShard = (word: string) => /^--shard=\d+\/\d+$/.test(word);
const shard = words.find(isShard)?.slice('--shard='.length);
const named = words.filter((word) => !isCommand(word) && !isStep(word) && !isShard(word));
const unknown = named.filter((name) => !allSuites.includes(name));
if (unknown.length > 0) {
  console.error(`No such suite: ${unknown.join(', ')}. There are ${allSuites.join(', ')}.`);
  process.exit(2);
}

/** How much of their amounts the tests play (`tests/support/amounts.ts`), and which part of a suite. */
const extent = { ...(words.includes('nightly') && { TEST_AMOUNTS: 'whole' }), ...(shard && { TEST_SHARD: shard }) };

const startedAt = performance.now();
const run = randomUUID();
const asked = isTotal ? allGroups : named.length > 0 ? named : commands.flatMap((command) => groups[command]);
// The checks build the client too.
const chosen = asked.filter((group) => group !== 'build' || !asked.includes('checks'));
const suites = chosen.flatMap(suitesOf);
if (!isTotal) {
  for (const suite of suites) removeResult(suite);
  for (const group of chosen) await runGroup(group);
}
const ran = suites.map((suite) => ({ suite, ...readResult(suite) }));
if (words.includes('rerun')) await rerunFailed(ran, (suite) => wireit[`suite:${suite}`]?.command ?? '');
else printSum(ran);

function printSum(ran: NamedResult[]): void {
  const { results, flakyTests } = forgive(ran, readFlakyRecord());
  const failures = results.flatMap(({ failures }) => failures);
  if (failures.length > 0) console.log(`\n── what failed\n${failures.map(formatFailure).join('\n')}`);
  if (flakyTests.length > 0) console.log(`\n── flaky: failed, then passed alone\n${flakyTests.map(formatFlaky).join('\n')}`);
  console.log(`\n── all${isTotal ? '' : `, in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`}`);
  for (const result of results) console.log(formatResult(result));
  const total = addTallies(results.map(({ tally }) => tally));
  console.log(`\n${formatTally(total)}`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}

/** The suites of a group: those that package.json names as its dependencies, or the suite of the same name. */
function suitesOf(group: string): string[] {
  const { command, dependencies = [] } = wireit[`suite:${group}`] ?? {};
  if (command !== undefined) return [group];
  return dependencies.map((dependency) => (typeof dependency === 'string' ? dependency : dependency.script).replace('suite:', ''));
}

/** Runs a group's suites. Their results say how they ended. */
async function runGroup(group: string): Promise<void> {
  console.log(`\n── ${group}`);
  const env = {
    ...process.env,
    ...extent,
    WIREIT_PARALLEL: '2',
    WIREIT_FAILURES: 'continue',
    WIREIT_LOGGER: 'simple',
    [runVariable]: run,
  };
  await runInGroup([process.env.npm_execpath ?? '', 'run', '--silent', `suite:${group}`], root, env);
}

function formatResult({ suite, tally, seconds, run: ranIn, endedAt }: NamedResult): string {
  const line = `${tally.failed === 0 ? '✓' : '✗'} ${suite.padEnd(20)} ${formatTally(tally)} in ${seconds.toFixed(1)} s`;
  return isTotal || ranIn === run || endedAt === null ? line : `${line} (from the cache: nothing has changed since ${endedAt})`;
}
