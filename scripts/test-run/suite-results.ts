import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Failure } from './failures.ts';
import type { FileTitles } from './report-tests.ts';
import { type Tally, tallyOfExit } from './tally.ts';

export type SuiteResult = {
  tally: Tally;
  failures: Failure[];
  /** How the tests of each file ended, by its path from the root. A suite without tests has none. */
  files?: Record<string, Tally>;
  /** Which of them passed, and which were skipped, by the same paths. */
  titles?: Record<string, FileTitles>;
  seconds: number;
  /** The number of the run of `scripts/test.ts` that the suite was part of: another one means that wireit took the result from its cache. */
  run: string | null;
  /** Null for a suite that left no result. */
  endedAt: string | null;
};

/** wireit keeps these files in its cache, by the inputs of their suites. */
const folder = join(import.meta.dirname, '..', '..', 'test-reports');
const fileOf = (suite: string) => join(folder, `${suite}.json`);
export const runVariable = 'ARTEL_TEST_RUN';

export function writeResult(suite: string, result: Pick<SuiteResult, 'tally' | 'failures' | 'files' | 'titles' | 'seconds'>): void {
  mkdirSync(folder, { recursive: true });
  const complete: SuiteResult = { ...result, run: process.env[runVariable] ?? null, endedAt: new Date().toISOString() };
  writeFileSync(fileOf(suite), JSON.stringify(complete));
}

/** Removes the result of an earlier run. wireit then restores it from its cache, or runs the suite. */
export function removeResult(suite: string): void {
  rmSync(fileOf(suite), { force: true });
}

/** Returns a suite's result. A suite that left none counts as one failure. */
export function readResult(suite: string): SuiteResult {
  try {
    return JSON.parse(readFileSync(fileOf(suite), 'utf8')) as SuiteResult;
  } catch {
    const failures = [{ title: suite, reason: 'The suite did not run, or was ended before its end.' }];
    return { tally: tallyOfExit(1), failures, seconds: 0, run: null, endedAt: null };
  }
}
