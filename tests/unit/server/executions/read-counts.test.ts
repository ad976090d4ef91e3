import { expect, test } from 'vitest';
import { readCounts } from '../../../../server/modules/executions/test-runs/read-counts.ts';

test.for<[string, string, [number, number] | null]>([
  ['node as TAP', 'TAP version 13\n# Subtest: a\nok 1 - a\n1..4\n# tests 4\n# pass 3\n# fail 1\n# skipped 0\n', [3, 1]],
  ['node for people', '✔ a (0.5ms)\nℹ tests 4\nℹ pass 3\nℹ fail 1\n', [3, 1]],
  ['vitest', ' Test Files  1 failed | 1 passed (2)\n\u001b[2m      Tests \u001b[22m 1 failed | 3 passed (4)\n', [3, 1]],
  ['vitest without a failure', ' Test Files  1 passed (1)\n      Tests  3 passed | 1 skipped (4)\n', [3, 0]],
  ['jest', 'Test Suites: 1 failed, 1 total\nTests:       1 failed, 2 skipped, 3 passed, 6 total\n', [3, 1]],
  ['mocha', '\n  3 passing (5ms)\n  1 failing\n\n  1) a\n', [3, 1]],
  ['pytest', '===== 1 failed, 3 passed in 0.12s =====\n', [3, 1]],
  ['pytest, quiet, with an error', '1 failed, 3 passed, 1 error in 0.12s\n', [3, 2]],
  ['cargo, twice', 'test result: ok. 3 passed; 0 failed; 0 ignored\ntest result: FAILED. 1 passed; 2 failed;\n', [4, 2]],
  ['go, verbose', '--- PASS: TestA (0.00s)\n    --- PASS: TestA/b (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL\n', [1, 1]],
  ['TAP without a summary', '1..3\nok 1 - a\nnot ok 2 - b\nnot ok 3 - c # TODO\n', [1, 1]],
  ['two packages of node', '# pass 3\n# fail 1\n# pass 2\n# fail 0\n', [5, 1]],
  ['go, quiet', 'ok  \texample.org/a\t0.01s\n', null],
  ['another program', 'all 3 tests passed, none failed\n', null],
  ['nothing', '', null],
  ['one line without an end', `Tests  ${'1 failed | '.repeat(100_000)}`, null],
])('C4.01 the counts of %s are read from the log', ([, log, counts]) => {
  expect(readCounts(log)).toEqual(counts && { passed: counts[0], failed: counts[1] });
});

test('C4.01 the counts of a long log are read from its end', () => {
  expect(readCounts(`# pass 9\n${'a line\n'.repeat(100_000)}# pass 2\n# fail 0\n`)).toEqual({ passed: 2, failed: 0 });
});
