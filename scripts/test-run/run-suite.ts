import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { compileCache } from './compile-cache.ts';
import { type Failure, failuresOf } from './failures.ts';
import { type ReportFormat, type Tally, tallyOfExit, tallyOfReport } from './tally.ts';
import { withoutSettings } from './without-settings.ts';

export type Suite = {
  name: string;
  /** Arguments for Node. */
  command: string[];
  /** The target of the runner's JSON report: an option, or an environment variable. */
  report?: { format: ReportFormat } & ({ option: string } | { variable: string });
  /** Prepares the suite; returns its missing requirement, or null. */
  before?: () => Promise<string | null>;
  /** True when no other suite may run beside it. */
  alone?: boolean;
};

/** Longer than any suite takes: a suite that hangs is ended and counts as failed. */
const suiteLimitMs = 30 * 60_000;

export type SuiteResult = { tally: Tally; failures: Failure[] };

/** Where suites run and leave their reports. Several suites mark each line of their output with their names. */
type Place = { root: string; folder: string; several: boolean };

/** Runs one suite, shows its output, and counts its tests. It never throws: every error counts as a failure. */
export async function runSuite({ name, command, report, before }: Suite, place: Place): Promise<SuiteResult> {
  const missing = (await before?.()) ?? null;
  if (missing !== null) {
    console.error(missing);
    return { tally: tallyOfExit(1), failures: [{ title: name, reason: missing }] };
  }
  const file = join(place.folder, `${name}.json`);
  const named = report !== undefined && 'option' in report ? [`${report.option}${file}`] : [];
  const env = {
    ...withoutSettings(process.env),
    ...compileCache,
    ...(report !== undefined && 'variable' in report ? { [report.variable]: file } : {}),
  };
  const code = await runNode([...command, ...named], { cwd: place.root, env, mark: place.several ? name : null });
  if (report === undefined) return { tally: tallyOfExit(code), failures: [] };
  try {
    const written: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return { tally: tallyOfReport(report.format, written, code), failures: failuresOf(report.format, written) };
  } catch (error) {
    const reason = `the runner left no report that can be read (${(error as Error).message})`;
    console.error(`${name}: ${reason}`);
    return { tally: tallyOfExit(1), failures: [{ title: name, reason }] };
  }
}

type Run = { cwd: string; env: NodeJS.ProcessEnv; mark: string | null };

/** Resolves to the exit status, or null when a signal ended it. The suite is a process group, so that all its processes end. */
function runNode(args: string[], { cwd, env, mark }: Run): Promise<number | null> {
  return new Promise((resolve) => {
    const shown = mark === null ? 'inherit' : 'pipe';
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', shown, shown], detached: process.platform !== 'win32' });
    for (const output of [child.stdout, child.stderr]) {
      if (output !== null) createInterface({ input: output }).on('line', (line) => console.log(`${mark}  ${line}`));
    }
    const endGroup = () => {
      try {
        if (child.pid !== undefined) process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
      } catch {
        // The process group has ended already.
      }
    };
    const interrupted = () => process.exit(130);
    const limit = setTimeout(() => {
      console.error(`Ended after ${suiteLimitMs / 60_000} minutes.`);
      endGroup();
    }, suiteLimitMs);
    // An interrupt ends the groups of all suites that run.
    process.once('SIGINT', interrupted).once('SIGTERM', interrupted).once('exit', endGroup);
    const finish = (code: number | null) => {
      clearTimeout(limit);
      process.off('SIGINT', interrupted).off('SIGTERM', interrupted).off('exit', endGroup);
      endGroup();
      resolve(code);
    };
    child.once('error', () => finish(1));
    child.once('close', finish);
  });
}
