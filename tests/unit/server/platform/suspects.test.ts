import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Suspects } from '../../../../server/platform/work-queue/pg-boss/suspects.ts';
import type { Job, JobOutcome, QueueName } from '../../../../server/platform/work-queue/work-queue.ts';

const watchMs = 1_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

function suspects() {
  const statements: string[] = [];
  const run = async ({ text, values }: { text: string; values: readonly unknown[] }) => {
    statements.push(`${text.includes("'watched', $2") ? 'watched' : 'cleared'} ${values[0]}`);
    return [{ id: values[0] }];
  };
  const begun: string[] = [];
  const watch = new Suspects(run as never, { suspectWatchMs: watchMs });
  const end = new AbortController();
  const start = (id: string, interruptions = 5, stopping = end.signal, queue: QueueName = 'command') => {
    const job = { id, claim: 1, isExhausted: false, signal: end.signal, stopping, memo: { interruptions } } as unknown as Job;
    return watch.handle(queue, job, async () => {
      begun.push(id);
      return new Promise<JobOutcome>((resolve) => end.signal.addEventListener('abort', () => resolve('done')));
    });
  };
  return { statements, begun, start, end };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('R23.01 suspects are watched alone first, then twice as many together each time that their process lives on', async () => {
  const { begun, statements, start, end } = suspects();
  const all = Array.from({ length: 12 }, (_, index) => start(`s${index}`));
  const innocent = start('innocent', 4);
  await pass(0);
  expect(begun).toEqual(['innocent', 's0']);
  const counts: number[] = [];
  for (let watch = 0; watch < 4; watch += 1) {
    await pass(watchMs);
    counts.push(begun.length - 1);
  }
  expect(counts).toEqual([3, 7, 12, 12]);
  expect(statements.filter((text) => text.startsWith('watched'))).toEqual(['watched s0']);
  expect(statements.filter((text) => text.startsWith('cleared'))).toHaveLength(12);
  end.abort();
  expect(await Promise.all([...all, innocent])).toEqual(Array(13).fill('done'));
});

test('R23.01 a suspect that takes seconds, as an instant of a schedule, is watched before those that take minutes', async () => {
  const { begun, start, end } = suspects();
  const runs = Array.from({ length: 40 }, (_, index) => start(`run ${index}`, 5, end.signal, 'execution'));
  const clocks = (['trigger', 'delivery'] as const).map((queue) => start(queue, 5, end.signal, queue));
  await pass(0);
  expect(begun).toEqual(['run 0']);
  await pass(watchMs);
  expect(begun).toEqual(['run 0', 'trigger', 'delivery']);
  end.abort();
  await Promise.all([...runs, ...clocks]);
});

test('R23.01 a suspect whose process ends before its turn returns to the queue, and holds up no other', async () => {
  const { begun, start, end } = suspects();
  const stopping = new AbortController();
  const first = start('first');
  const left = start('left', 5, stopping.signal);
  const next = start('next');
  await pass(0);
  stopping.abort();
  expect(await left).toBe('released');
  await pass(watchMs);
  expect(begun).toEqual(['first', 'next']);
  end.abort();
  expect(await Promise.all([first, next])).toEqual(['done', 'done']);
});
