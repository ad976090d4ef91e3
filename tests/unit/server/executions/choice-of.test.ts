import { expect, test } from 'vitest';
import type { DataTest } from '../../../../contract/executions/run-graph.ts';
import { choiceOf } from '../../../../server/modules/executions/graph/compiled-graph.ts';
import type { StepRow } from '../../../../server/modules/executions/store/rows.ts';

const step = { stepId: 'a', pipelineStepId: 'a', round: 0, item: 0 } as StepRow;
const graph = (...tests: DataTest[]) => ({
  nodes: ['a', 'b', 'c'].map((id) => ({ id })),
  links: [...tests.map((test, at) => ({ id: `case ${at}`, from: 'a', to: 'b', test })), { id: 'otherwise', from: 'a', to: 'c' }],
  groups: [],
  maxParallel: 4,
});

test.each([
  ['without tests', [], 0, 'named'],
  ['with a test of the text', [{ is: 'contains', value: 'good' }], 0, 'case 0'],
  ['with a test for an earlier file', [{ is: 'fileExists', value: 'menu.md' }], 1, 'case 0'],
  ['with a test for a file of the answer', [{ is: 'fileExists', value: 'plan.md' }], 1, 'case 0'],
  ['with a test for another file', [{ is: 'fileExists', value: 'none.md' }], 1, null],
] as [string, DataTest[], number, string | null][])('G1.02 the end of a step %s reads the files of the run only for it', async (...row) => {
  const [, tests, expectedReads, expected] = row;
  let reads = 0;
  const held = async () => {
    reads += 1;
    return [{ path: 'menu.md' }];
  };
  const ended = { result: 'A good plan', label: 'named', files: [{ path: 'plan.md' }], testRun: null, held };
  const choice = await choiceOf(graph(...tests), step, ended);
  expect([choice, reads]).toEqual([expected, expectedReads]);
});
