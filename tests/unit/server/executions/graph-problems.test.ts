import { expect, test } from 'vitest';
import { refuseBrokenGraph } from '../../../../server/modules/pipelines/graph-problems.ts';

const pipelineOf = (count: number) => ({
  steps: Array.from({ length: count }, (_, at) => ({ id: `s${at}`, name: `Step ${at}`, nodeId: `n${at}`, agentId: 'a', orderIndex: at })),
  links: Array.from({ length: count - 1 }, (_, at) => ({ id: `l${at}`, from: `n${at}`, to: `n${at + 1}` })),
  groups: [],
  maxParallel: 1,
});

/** Counts the turns of other work until a check has ended. */
async function turnsBeside(check: () => Promise<void>): Promise<number> {
  let turns = 0;
  const count = () => {
    turns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  await check();
  clearImmediate(counting);
  return turns;
}

test('R19.01 the check of a large graph lets other work run before and after it, and the check of a small one begins at once', async () => {
  expect(await turnsBeside(() => refuseBrokenGraph(pipelineOf(1_000), 'en'))).toBeGreaterThanOrEqual(2);
  expect(await turnsBeside(() => refuseBrokenGraph(pipelineOf(3), 'en'))).toBe(0);
});
