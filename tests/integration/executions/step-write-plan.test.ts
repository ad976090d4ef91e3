import { v7 } from 'uuid';
import { expect, test } from 'vitest';
import { changeStatement } from '../../../server/modules/executions/store/change-statement.ts';
import { changingCall, closingCalls } from '../../../server/modules/executions/store/tool-call-rows.ts';
import { setUpDatabase } from '../../support/set-up/for-vitest.ts';

const database = setUpDatabase();

test('R23.01 the write of a step searches only its own run, however many runs the pipeline has had', async () => {
  const [id, first, second] = [v7(), v7(), v7()];
  const { text } = changeStatement({
    before: { id, leaseEpoch: 1, lastSeq: 2 },
    condition: null,
    row: { lastSeq: 3 },
    steps: new Map([
      [first, { status: 'completed' }],
      [second, { status: 'running' }],
    ]),
    shared: [{ stepIds: [first], change: { status: 'skipped' } }],
    added: [],
    events: [],
    others: [changingCall({ stepId: first, turn: 1, callId: 'one' }, { state: 'done' }), closingCalls(second, new Date())],
    deliveries: [],
    reading: null,
  });
  const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>({ text: `EXPLAIN (GENERIC_PLAN) ${text}` });
  const lines = rows.map((row) => row['QUERY PLAN']);
  const searches = lines.flatMap((line, at) => (/ on (execution_steps|tool_calls)/.test(line) ? [[line, lines[at + 1]]] : []));
  const reads = searches.filter(([line]) => !line?.includes('Update on'));
  expect(reads).toHaveLength(5);
  for (const [line, condition] of reads) {
    expect(line).toContain('Index Scan');
    expect(condition).toMatch(/Index Cond: \(+(tool_calls\.)?execution_id = \(InitPlan/);
  }
});
