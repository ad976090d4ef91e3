import { expect, test } from 'vitest';
import { type GivenRow, resultFrom } from '../../../../server/modules/executions/graph/graph-inputs.ts';

const row = (item: number, result: string | null): GivenRow => ({
  ...{ stepId: `${item}`, agentTitle: 'Developer', role: 'developer', item, result },
  error: result === null ? { code: 'model_rejected', message: 'Refused' } : null,
  marks: null,
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
