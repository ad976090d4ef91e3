import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileCache } from './compile-cache.ts';
import { type Outcome, outcomeOfExit, outcomeOfReport } from './suite-outcome.ts';
import { writeResult } from './suite-results.ts';
import type { ReportFormat } from './tally.ts';
import { unhandledErrorsVariable } from './unhandled-errors.ts';
import { withoutSettings } from './without-settings.ts';

/**
 * `node scripts/test-run/run-suite.ts unit node_modules/vitest/vitest.mjs run --project unit`: runs the suite with this name by a program of
 * Node, counts its tests from the runner's JSON report, and stores the result for `scripts/test.ts`. A suite without a report is one check.
 */
const [name = '', ...command] = process.argv.slice(2);
const root = join(import.meta.dirname, '..', '..');
/** Longer than any suite takes: a suite that hangs is ended and counts as failed. Whole amounts take hours. */
const suiteLimitMs = (process.env.TEST_AMOUNTS === 'whole' ? 360 : 30) * 60_000;

const folder = mkdtempSync(join(tmpdir(), 'artel-test-'));
const report = join(folder, 'report.json');
const unhandledErrors = join(folder, 'unhandled-errors.json');
const unhandledErrorsReporter = join(import.meta.dirname, 'unhandled-errors.ts');
const reports: Record<ReportFormat, { args: string[]; env: Record<string, string> }> = {
  vitest: {
    args: ['--reporter=default', '--reporter=json', `--reporter=${unhandledErrorsReporter}`, `--outputFile.json=${report}`],
    env: { [unhandledErrorsVariable]: unhandledErrors },
  },
  playwright: { args: ['--reporter=list,json'], env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report } },
};
const format = (Object.keys(reports) as ReportFormat[]).find((runner) => command[0]?.startsWith(`node_modules/${runner}/`));

const startedAt = performance.now();
const { args, env } = format ? reports[format] : { args: [], env: {} };
const shard = format && process.env.TEST_SHARD ? [`--shard=${process.env.TEST_SHARD}`] : [];
const result = outcomeOf(await runNode([...command, ...args, ...shard], { ...withoutSettings(process.env), ...compileCache, ...env }));
writeResult(name, { ...result, seconds: (performance.now() - startedAt) / 1_000 });
rmSync(folder, { recursive: true, force: true });
process.exitCode = result.tally.failed === 0 ? 0 : 1;

function outcomeOf(code: number | null): Outcome {
  if (format === undefined) return outcomeOfExit(name, code);
  try {
    const unhandled: string[] = format === 'vitest' ? readJson(unhandledErrors) : [];
    return outcomeOfReport(name, { format, report: readJson(report), unhandled, code });
  } catch (error) {
    return outcomeOfExit(name, 1, `the runner left no report that can be read (${(error as Error).message})`);
  }
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}

/** Resolves to the exit status, or null when a signal ended it. The suite is a process group, so that all its processes end with it. */
function runNode(args: string[], env: NodeJS.ProcessEnv): Promise<number | null> {
  const isGroup = process.platform !== 'win32';
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'], detached: isGroup });
  const endGroup = () => {
    try {
      if (child.pid !== undefined) process.kill(isGroup ? -child.pid : child.pid, 'SIGKILL');
    } catch {
      // The process group has ended already.
    }
  };
  const limit = setTimeout(() => {
    console.error(`${name}: ended after ${suiteLimitMs / 60_000} minutes.`);
    endGroup();
  }, suiteLimitMs);
  process.once('exit', endGroup);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  return new Promise((resolve) => {
    const finish = (code: number | null) => {
      clearTimeout(limit);
      endGroup();
      resolve(code);
    };
    child.once('error', () => finish(1));
    child.once('close', finish);
  });
}
