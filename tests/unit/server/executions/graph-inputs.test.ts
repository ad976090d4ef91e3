import { expect, test } from 'vitest';
import { type GivenRow, resultFrom, testsOf } from '../../../../server/modules/executions/graph/graph-inputs.ts';
import type { StoredTestRun } from '../../../../server/modules/executions/store/step-answer.ts';

const row = (item: number, result: string | null): GivenRow => ({
  ...{ stepId: `${item}`, agentTitle: 'Developer', role: 'developer', item, result },
  error: result === null ? { code: 'model_rejected', message: 'Refused' } : null,
  ...{ marks: null, testRun: null },
});

test('G1.04 the answers for all items are one numbered list, of which all branches have the same copy', () => {
  const rows = [row(1, 'One\nline'), row(2, null)];
  const list = resultFrom(rows);
  expect(list).toEqual({ title: 'Developer', role: 'developer', text: '1. One\n   line\n\n2. Refused' });
  expect(resultFrom([...rows])).toBe(list);
  expect(resultFrom([rows[0] as GivenRow, row(2, 'Again')]).text).toBe('1. One\n   line\n\n2. Again');
  expect(resultFrom([rows[0] as GivenRow]).text).toBe('1. One\n   line');
});

test('M2.27 a result that is cut is handed on as cut, alone and in a list', () => {
  const cut: GivenRow = { ...row(1, 'Half a'), marks: ['cut', 'noFile'] };
  expect(resultFrom([{ ...cut, item: 0 }])).toEqual({ title: 'Developer', role: 'developer', text: 'Half a', isCut: true });
  expect(resultFrom([row(2, 'Two'), cut])).toMatchObject({ isCut: true });
  expect(resultFrom([{ ...cut, item: 0, marks: ['noFile'] }])).not.toHaveProperty('isCut');
});

const failing: StoredTestRun = {
  ...{ command: 'npm test', state: 'ended', exitCode: 1, reason: null, ms: 5, hasLog: true, startedAt: '2026-01-01T00:00:00.000Z' },
  ...{ counts: { passed: 2, failed: 1 }, logEnd: 'not ok 3 - a & b' },
};

test('C4.03 a result is handed on with what was executed for it, and with the end of its log', () => {
  const tests = [
    {
      ...{ item: 0, command: 'npm test', exitCode: 1, reason: null, missing: null },
      ...{ isSimulated: false, isByAgent: false },
      log: failing.logEnd,
    },
  ];
  expect(resultFrom([{ ...row(0, 'A report'), testRun: failing }])).toMatchObject({ text: 'A report', tests });
  expect(resultFrom([{ ...row(0, 'A report'), testRun: { ...failing, state: 'running' } }])).not.toHaveProperty('tests');
  const filtered = { ...failing, filter: "it's", byAgent: true as const };
  expect(testsOf([{ item: 0, testRun: filtered }])).toMatchObject([{ command: "npm test 'it'\\''s'", isByAgent: true }]);
});

test('C4.03 the logs of all items of a list together are as long as one', () => {
  const long = { ...failing, logEnd: `${'a'.repeat(20_000)}z` };
  const logs = testsOf([1, 2, 3, 4].map((item) => ({ item, testRun: long }))).map(({ log }) => [log.length, log.at(-1)]);
  expect(logs).toEqual(Array.from({ length: 4 }, () => [4_096, 'z']));
});
