import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { expect, test } from 'vitest';
import { createPointBlocks } from '../../../../server/http/bodies/point-blocks.ts';

/** A shared counter, the number of calls to it, and two nodes that take blocks of ten points from it. */
function shared(points: number) {
  const memory = new RateLimiterMemory({ points, duration: 60 });
  let asked = 0;
  const counter = {
    consume: (key: string | number, size?: number) => {
      asked += 1;
      return memory.consume(key, size);
    },
  };
  return { nodes: [createPointBlocks(counter, 10), createPointBlocks(counter, 10)] as const, asked: () => asked };
}

test('W7.03 the rate limit holds across all nodes, and a node asks the shared counter once for each block of calls', async () => {
  const { nodes, asked } = shared(40);
  let passed = 0;
  for (let round = 0; round < 100; round += 1) {
    for (const node of nodes) {
      await node.consume('ann').then(
        () => {
          passed += 1;
        },
        (refusal) => expect(refusal).toBeInstanceOf(RateLimiterRes),
      );
    }
  }
  expect(passed).toBe(40);
  expect(asked()).toBe(6);
  await nodes[0].consume('bob');
});

test('W7.03 callers at the same time ask the shared counter once for each block of calls', async () => {
  const { nodes, asked } = shared(100);
  await Promise.all(Array.from({ length: 25 }, () => nodes[0].consume('ann')));
  expect(asked()).toBe(3);
});

test('W7.03 a failure of the counter is passed on as an error, and the next call asks the counter again', async () => {
  let away = true;
  const blocks = createPointBlocks({ consume: async () => (away ? Promise.reject(new Error('away')) : new RateLimiterRes(1, 60_000)) }, 10);
  await expect(blocks.consume('ann')).rejects.toThrow('away');
  away = false;
  await blocks.consume('ann');
});
