import { stripVTControlCharacters } from 'node:util';
import type { TestCounts } from '../../../../contract/executions/test-run.ts';

/** The most lines of a log that are read, from its end: summaries stand there. */
const maxLines = 20_000;
/** A longer line is no summary (UTF-16 units). */
const maxLine = 400;

type ReadLine = (line: string) => Partial<TestCounts> | null;

/**
 * Returns the tests that a log counts, by the summary of a known program; null where there is none. Several summaries, as of several packages, are added.
 */
export function readCounts(log: string): TestCounts | null {
  const lines = stripVTControlCharacters(log)
    .split('\n')
    .slice(-maxLines)
    .map((line) => line.trimEnd())
    .filter((line) => line.length > 0 && line.length <= maxLine);
  for (const read of readers) {
    const found = lines.flatMap((line) => read(line) ?? []);
    if (found.length > 0) return { passed: sumOf(found, 'passed'), failed: sumOf(found, 'failed') };
  }
  return lines.some((line) => /^1\.\.\d{1,9}$/.test(line)) ? countedTap(lines) : null;
}

const readers: readonly ReadLine[] = [
  // Node: `# pass 3` as TAP, `ℹ pass 3` for people.
  (line) => byWord(/^[#ℹ] (pass|fail) (\d{1,9})$/.exec(line)),
  // Vitest: `Tests  1 failed | 3 passed (4)`. Jest: `Tests:       1 failed, 3 passed, 4 total`.
  (line) => (/^ {0,20}Tests:? {1,20}\d/.test(line) ? numbersIn(line) : null),
  // Mocha: `3 passing (5ms)`, `1 failing`.
  (line) => byWord(reversed(/^ {0,8}(\d{1,9}) (pass|fail)ing(?: \(\d{1,9}(?:ms|s|m)\))?$/.exec(line))),
  // Pytest: `== 1 failed, 3 passed in 0.12s ==`.
  (line) => (/ in \d{1,9}\.\d\ds(?: |$)/.test(line) && /\d (?:failed|passed|error)/.test(line) ? numbersIn(line) : null),
  // Cargo: `test result: FAILED. 3 passed; 1 failed; 0 ignored`.
  (line) => (line.startsWith('test result: ') ? numbersIn(line) : null),
  // Go, verbose. Without `-v` it does not count what passes.
  (line) => byWord(/^--- (PASS|FAIL): ()/.exec(line)),
];

/** Reads a word and a number; no number counts as one. */
function byWord(found: readonly string[] | null): Partial<TestCounts> | null {
  const [, word = '', number = ''] = found ?? [];
  if (word === '') return null;
  const count = number === '' ? 1 : Number(number);
  return word.toLowerCase() === 'pass' ? { passed: count } : { failed: count };
}

function reversed(found: readonly string[] | null): string[] | null {
  return found && [found[0] ?? '', found[2] ?? '', found[1] ?? ''];
}

/** Reads `1 failed`, `2 errors` and `3 passed` in a line. */
function numbersIn(line: string): TestCounts {
  const all = [...line.matchAll(/(\d{1,9}) (passed|failed|errors?)\b/g)];
  const of = (kind: (word: string) => boolean) => all.reduce((sum, [, many, word = '']) => sum + (kind(word) ? Number(many) : 0), 0);
  return { passed: of((word) => word === 'passed'), failed: of((word) => word !== 'passed') };
}

/** Counts the tests of TAP without a summary. */
function countedTap(lines: readonly string[]): TestCounts | null {
  const passed = lines.filter((line) => /^ok(?: |$)/.test(line)).length;
  const failed = lines.filter((line) => /^not ok(?: |$)/.test(line) && !/# (?:todo|skip)/i.test(line)).length;
  return passed + failed > 0 ? { passed, failed } : null;
}

function sumOf(found: readonly Partial<TestCounts>[], key: keyof TestCounts): number {
  return found.reduce((sum, one) => sum + (one[key] ?? 0), 0);
}
