import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type FlakyFile, type FlakyRecord, judgeRerun, type NamedResult, namesForNextRun, planReruns } from './flaky.ts';
import { runInGroup } from './run-in-group.ts';
import { readResult, removeResult } from './suite-results.ts';

const root = join(import.meta.dirname, '..', '..');
/** Beside the results of the suites, of which `.ci/run` removes those of an earlier run. */
const recordFile = join(root, 'test-reports', 'flaky', 'last-run.json');
/** Titles that earlier runs named flaky, until the commit that mends the test. */
const listFile = join(root, 'tests', 'flaky.json');
const rerunName = 'rerun';

/**
 * Runs each file with a failed test once more, alone and by the command of its suite: a single test may need those before it in its file.
 * Stores for the sum which of them are flaky.
 */
export async function rerunFailed(results: NamedResult[], commandOf: (suite: string) => string): Promise<void> {
  const earlier = [...readFlakyRecord().named, ...(JSON.parse(readFileSync(listFile, 'utf8')) as string[])];
  const { files, refused } = planReruns(results, earlier);
  for (const sentence of refused) console.log(`\n── not once more: ${sentence}`);
  const flaky: FlakyFile[] = [];
  for (const { suite, file } of files) {
    console.log(`\n── once more, alone: ${file} of ${suite}`);
    removeResult(rerunName);
    await runInGroup(rerunArguments(commandOf(suite), file), root, process.env);
    const judged = judgeRerun(results.find((result) => result.suite === suite) as NamedResult, file, readResult(rerunName));
    removeResult(rerunName);
    if (judged) flaky.push(judged);
  }
  const record: FlakyRecord = { flaky, named: namesForNextRun(results, flaky, earlier) };
  mkdirSync(dirname(recordFile), { recursive: true });
  writeFileSync(recordFile, JSON.stringify(record));
}

export function readFlakyRecord(): FlakyRecord {
  try {
    return JSON.parse(readFileSync(recordFile, 'utf8')) as FlakyRecord;
  } catch {
    return { flaky: [], named: [] };
  }
}

/** A suite's command is `node scripts/test-run/run-suite.ts`, the suite's name, and its runner with arguments. */
function rerunArguments(command: string, file: string): string[] {
  const [, program = '', , runner = '', ...rest] = command.split(' ');
  // Playwright takes a regular expression, Vitest a part of the path.
  const chosen = runner.includes('playwright') ? [`${file.replaceAll('.', '\\.')}$`, '--workers=1'] : [file, '--maxWorkers=1'];
  return [program, rerunName, runner, ...rest, ...chosen];
}
