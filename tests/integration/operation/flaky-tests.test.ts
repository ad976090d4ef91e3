import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Longer than a dozen starts of a runner take on a machine with much other work. */
const limitMs = 300_000;
const root = join(import.meta.dirname, '../../..');
const folder = join(realpathSync(mkdtempSync(join(tmpdir(), 'artel-played-run-'))), 'project');
const suites = {
  unit: 'node_modules/vitest/vitest.mjs run --config vitest.config.ts',
  e2e: 'node_modules/playwright/cli.js test',
};

/** A test that fails at its first run only: a file says that it ran. */
const flakyTest = (module: string, title: string) => `
import { existsSync, writeFileSync } from 'node:fs';
import { expect, test } from '${module}';
test('${title}', () => {
  const ran = existsSync('${title}');
  writeFileSync('${title}', '');
  expect(ran, 'the first run').toBe(true);
});
test('${title} has a neighbour', () => {});
`;

/** Passes, and leaves an error for which its runner fails. */
const leavingTest = `
import { test } from 'vitest';
test('leaves an error', async () => {
  void Promise.reject(new Error('left behind'));
  await new Promise(setImmediate);
});
`;

beforeAll(() => {
  cpSync(join(root, 'scripts/test.ts'), join(folder, 'scripts/test.ts'));
  cpSync(join(root, 'scripts/test-run'), join(folder, 'scripts/test-run'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const commands = Object.entries(suites).map(([name, command]) => [
    `suite:${name}`,
    { command: `node scripts/test-run/run-suite.ts ${name} ${command}` },
  ]);
  const groups = ['checks', 'servers', 'e2e-rest', 'servers-rest', 'faults-alone', 'build'].map((name) => [`suite:${name}`, {}]);
  const checks = ['suite:checks', { dependencies: ['suite:unit'] }];
  plant('package.json', JSON.stringify({ type: 'module', wireit: Object.fromEntries([...commands, ...groups, checks]) }));
  plant('vitest.config.ts', "export default { test: { include: ['tests/*.test.ts'] } };");
  plant('playwright.config.ts', "export default { testDir: 'tests/e2e' };");
  plant('tests/flaky.json', '[]');
  plant('tests/waits.test.ts', flakyTest('vitest', 'waits'));
  plant('tests/e2e/draws.spec.ts', flakyTest('playwright/test', 'draws'));
});
afterAll(() => rmSync(dirname(folder), { recursive: true, force: true }));

test(
  'a run passes and names its flaky tests, a really failing test fails it, and no test is forgiven twice in a row',
  () => {
    const first = playRun(['unit', 'e2e']);
    expect(first.output).toContain('~ unit: waits (tests/waits.test.ts)\n    AssertionError: the first run');
    expect(first.output).toContain('line for tests/flaky.json: "draws (tests/e2e/draws.spec.ts)"');
    expect(first).toMatchObject({ status: 0, lastLine: '4 passed, 0 failed' });

    plant('tests/never.test.ts', "import { expect, test } from 'vitest';\ntest('never holds', () => expect(1).toBe(2));");
    plant('tests/late.test.ts', flakyTest('vitest', 'late'));
    plant('tests/leaves.test.ts', leavingTest);
    const second = playRun(['unit']);
    expect(second.output).toContain('✗ never holds (tests/never.test.ts)');
    expect(second.output).toContain('~ unit: late (tests/late.test.ts)');
    expect(second.output).toContain('✗ outside the tests\n    left behind');
    expect(second.output).toContain('An earlier run has named it as flaky: draws (tests/e2e/draws.spec.ts)');
    expect(second).toMatchObject({ status: 1, lastLine: '6 passed, 3 failed' });
  },
  limitMs,
);

/** The steps of `.ci/run`, with suites that wireit does not start. The result of a suite that is left out is that of the run before. */
function playRun(names: (keyof typeof suites)[]): { status: number | null; output: string; lastLine: string | undefined } {
  for (const name of names) run(['scripts/test-run/run-suite.ts', name, ...suites[name].split(' ')]);
  const rerun = run(['scripts/test.ts', 'rerun']);
  const total = run(['scripts/test.ts', 'total']);
  return { status: total.status, output: rerun.stdout + total.stdout, lastLine: total.stdout.trim().split('\n').at(-1) };
}

/** The environment of this test names its own runner. */
function run(args: string[]) {
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', TMPDIR: tmpdir() };
  return spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' });
}

function plant(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}
