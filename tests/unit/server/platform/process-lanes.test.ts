import { expect, test } from 'vitest';
import { ProcessLanes } from '../../../../server/platform/processes/process-lanes.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Processes that run until a test ends them or their signal does, in lanes whose quick time ends when a test says so. */
function lanes(places: { quick: number; slow: number }) {
  const timers: (() => void)[] = [];
  const lanes = new ProcessLanes(places, (onEnd) => {
    timers.push(onEnd);
    return () => {};
  });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (account: string, signal?: AbortSignal) =>
    lanes.run(
      account,
      (ended) =>
        new Promise<string>((resolve, reject) => {
          begun.push(account);
          ends.set(account, () => resolve(account));
          ended.addEventListener('abort', () => reject(ended.reason));
        }),
      signal,
    );
  return {
    begun,
    run,
    async end(account: string) {
      ends.get(account)?.();
      await settle();
    },
    async endQuickTime(at: number) {
      timers[at]?.();
      await settle();
    },
  };
}

test('G8.30 a process that runs long moves to the slow lane, and the next one begins in its place', async () => {
  const { begun, run, end, endQuickTime } = lanes({ quick: 1, slow: 1 });
  const long = run('ann');
  const next = run('bob');
  await settle();
  expect(begun).toEqual(['ann']);
  await endQuickTime(0);
  expect(begun).toEqual(['ann', 'bob']);
  await end('bob');
  await end('ann');
  expect(await Promise.all([long, next])).toEqual(['ann', 'bob']);
});

test('G8.30 where the slow lane is full, a long process is ended, leaves its place, and begins anew when one is free', async () => {
  const { begun, run, end, endQuickTime } = lanes({ quick: 1, slow: 1 });
  const calls = [run('ann'), run('bob')];
  await settle();
  await endQuickTime(0);
  await endQuickTime(1);
  calls.push(run('cleo'));
  await settle();
  expect(begun).toEqual(['ann', 'bob', 'cleo']);
  await end('cleo');
  await end('ann');
  expect(begun).toEqual(['ann', 'bob', 'cleo', 'bob']);
  await end('bob');
  expect(await Promise.all(calls)).toEqual(['ann', 'bob', 'cleo']);
});

test('G8.30 a running process whose caller has gone is ended, and a waiting process whose caller has gone never begins', async () => {
  const { begun, run, end } = lanes({ quick: 1, slow: 1 });
  const gone = new AbortController();
  const both = [run('ann', gone.signal), run('bob', gone.signal)].map((one) => one.catch((reason: unknown) => reason));
  await settle();
  gone.abort('gone');
  expect(await Promise.all(both)).toEqual(['gone', 'gone']);
  const later = run('cleo');
  await settle();
  expect(begun).toEqual(['ann', 'cleo']);
  await end('cleo');
  expect(await later).toBe('cleo');
});
