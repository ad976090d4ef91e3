import { expect, test } from 'vitest';
import { historyTree } from '../../../src/app/workspace/history/history-tree.ts';

const item = (pipelineExecutionId: string, parentExecutionId?: string) => ({
  pipelineExecutionId,
  ...(parentExecutionId !== undefined && { parentExecutionId }),
});

test('G5.10 each fork lies below its original; a fork whose original is not in the list stays in its place', () => {
  const items = [item('third', 'second'), item('other'), item('second', 'first'), item('orphan', 'removed'), item('first')];
  expect(historyTree(items).map(({ item: { pipelineExecutionId }, depth }) => [pipelineExecutionId, depth])).toEqual([
    ['other', 0],
    ['orphan', 0],
    ['first', 0],
    ['second', 1],
    ['third', 2],
  ]);
});
