import { expect, test } from 'vitest';
import type { ServerMessage } from '../../../../contract/realtime.ts';
import { createUserFeed, type PipelineUpdate } from '../../../../server/modules/realtime/user-feed.ts';

const run = '01890000-0000-7000-8000-000000000001';
const update = (seq: number): PipelineUpdate => ({ type: 'pipeline_update', executionId: run, seq }) as PipelineUpdate;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A feed over a log of `stored` events, and what its client got; `behind` resolves when the client has caught up. */
function feedOver(stored: number, behind: Promise<void> | null = null) {
  const got: number[] = [];
  const reads: number[] = [];
  const failed: unknown[] = [];
  const feed = createUserFeed({
    send: (message: ServerMessage) => got.push((message as PipelineUpdate).seq),
    whenDrained: () => behind,
    async *missed({ [run]: since = 0 }) {
      reads.push(since);
      yield Array.from({ length: Math.max(0, stored - since) }, (_, index) => update(since + 1 + index));
    },
    onFailed: (error) => failed.push(error),
  });
  return { feed, got, reads, failed };
}

test('W7.08 the feed hands on live events as they come, without reading the log', async () => {
  const { feed, got, reads } = feedOver(0);
  feed.begin();
  for (const seq of [1, 2, 3]) feed.offer(update(seq));
  expect(got).toEqual([1, 2, 3]);
  expect(reads).toEqual([]);
});

test('W7.08 the feed drops events that it has sent, and reads events that the bus skipped', async () => {
  const { feed, got, reads } = feedOver(5);
  feed.begin();
  for (const seq of [1, 1, 2, 5, 4, 6]) feed.offer(update(seq));
  await settled();
  expect(got).toEqual([1, 2, 3, 4, 5, 6]);
  expect(reads).toEqual([2]);
});

test('W7.08 the feed sends the events that a client has missed before any live event', async () => {
  const { feed, got } = feedOver(4);
  feed.offer(update(4));
  feed.offer(update(5));
  expect(got).toEqual([]);
  feed.resume({ [run]: 2 });
  await settled();
  expect(got).toEqual([3, 4, 5]);
});

test('W7.08 a client that asks for events which it has had gets them a second time, from the one that it names', async () => {
  const { feed, got } = feedOver(3);
  feed.begin();
  for (const seq of [1, 2, 3]) feed.offer(update(seq));
  feed.resume({ [run]: 1 });
  await settled();
  expect(got).toEqual([1, 2, 3, 2, 3]);
});

test('W7.08 a client that has sent its last events gets an unknown execution from its beginning', async () => {
  const { feed, got } = feedOver(3);
  feed.resume({});
  feed.offer(update(3));
  feed.offer(update(4));
  await settled();
  expect(got).toEqual([1, 2, 3, 4]);
});

test('W7.08 a client that is behind gets the missed events as fast as it reads, and then the new ones', async () => {
  let catchUp = () => {};
  const behind = new Promise<void>((resolve) => {
    catchUp = resolve;
  });
  const { feed, got } = feedOver(3, behind);
  feed.resume({ [run]: 0 });
  feed.offer(update(4));
  await settled();
  expect(got).toEqual([1]);
  catchUp();
  await settled();
  expect(got).toEqual([1, 2, 3, 4]);
});

test('W7.08 a client that never reads the missed events is disconnected, and a disconnected one gets nothing more', async () => {
  const { feed, got, failed } = feedOver(3, new Promise(() => {}));
  feed.resume({ [run]: 0 });
  for (let seq = 4; seq < 11_000; seq += 1) feed.offer(update(seq));
  expect(failed.length).toBeGreaterThan(0);
  const { feed: left, got: none } = feedOver(3);
  left.end();
  left.resume({ [run]: 0 });
  await settled();
  expect([got, none]).toEqual([[1], []]);
});

test('W7.08 the newest of several requested replays runs, and the other replays stop', async () => {
  const got: number[] = [];
  const reads: number[] = [];
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const feed = createUserFeed({
    send: (message: ServerMessage) => got.push((message as PipelineUpdate).seq),
    whenDrained: () => null,
    async *missed({ [run]: since = 0 }) {
      reads.push(since);
      if (since === 0) await held;
      yield [update(since + 1)];
    },
    onFailed: () => {},
  });
  for (let since = 0; since < 1_000; since += 1) feed.resume({ [run]: since });
  await settled();
  expect(reads).toEqual([0]);
  release();
  await settled();
  expect(reads).toEqual([0, 999]);
  expect(got).toEqual([1_000]);
});

test('W7.08 streamed text waits as one message while the client gets the missed events', async () => {
  const sent: ServerMessage[] = [];
  const feed = createUserFeed({
    send: (message) => sent.push(message),
    whenDrained: () => null,
    async *missed() {
      yield [update(1)];
    },
    onFailed: () => {},
  });
  const about = { agentId: 'a', projectId: null, executionId: 'e', stepId: 's' };
  for (let position = 0; position < 20_000; position += 1) {
    feed.offer({ type: 'agent_thought', ...about, content: 'x', position, partial: true });
  }
  feed.resume({ [run]: 0 });
  await settled();
  expect(sent).toEqual([update(1), { type: 'agent_thought', ...about, content: 'x'.repeat(20_000), position: 0, partial: true }]);
});
