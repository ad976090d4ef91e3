import { expect, test } from 'vitest';
import { AdmissionQueue } from '../../../../server/http/limits/admission-queue.ts';

type Held = { account: string; end: (failure?: Error) => void };

/** Calls that run until a test ends them. */
function held(queue: AdmissionQueue) {
  const atWork: Held[] = [];
  const call = (account: string) =>
    queue.run(
      account,
      () =>
        new Promise<string>((resolve, reject) => {
          atWork.push({ account, end: (failure) => (failure ? reject(failure) : resolve(account)) });
        }),
    );
  return { atWork, call };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('R19.01 costly calls work two at a time, in the order of their arrival, and a failed call frees its place', async () => {
  const { atWork, call } = held(new AdmissionQueue({ atOnce: 2, maxWaiting: 9, maxPerAccount: 9 }));
  const calls = ['a', 'b', 'c', 'd', 'e'].map(call);
  const accounts = () => atWork.map(({ account }) => account);
  await settled();
  expect(accounts()).toEqual(['a', 'b']);
  atWork[1]?.end();
  await settled();
  expect(accounts()).toEqual(['a', 'b', 'c']);
  atWork[0]?.end(new Error('broken'));
  await expect(calls[0]).rejects.toThrow('broken');
  expect(accounts()).toEqual(['a', 'b', 'c', 'd']);
  for (const { end } of atWork) end();
  await settled();
  for (const { end } of atWork) end();
  expect(await Promise.all(calls.slice(1))).toEqual(['b', 'c', 'd', 'e']);
  const later = ['f', 'g', 'h'].map(call);
  await settled();
  expect(accounts().slice(5)).toEqual(['f', 'g']);
  for (const { end } of atWork) end();
  await settled();
  for (const { end } of atWork) end();
  await Promise.all(later);
});

test('R19.01 the queue limits the costly calls of one account, and the waiting calls of all accounts', async () => {
  const { atWork, call } = held(new AdmissionQueue({ atOnce: 1, maxWaiting: 2, maxPerAccount: 2 }));
  const calls = [call('ann'), call('ann')];
  await expect(call('ann')).rejects.toMatchObject({ code: 'too_many_requests', status: 429, options: { retryAfterSeconds: 2 } });
  calls.push(call('bob'));
  await expect(call('cleo')).rejects.toMatchObject({ code: 'busy', status: 503, options: { retryAfterSeconds: 2 } });
  for (let done = 0; done < 3; done += 1) {
    await settled();
    atWork[done]?.end();
  }
  expect(await Promise.all(calls)).toEqual(['ann', 'ann', 'bob']);
  const again = call('ann');
  await settled();
  atWork[3]?.end();
  expect(await again).toBe('ann');
});

test('R19.01 accounts take turns, and one account leaves places to the others', async () => {
  const { atWork, call } = held(new AdmissionQueue({ atOnce: 3, atOncePerAccount: 2, maxWaiting: 9, maxPerAccount: 9 }));
  const calls = ['ann', 'ann', 'ann', 'ann', 'bob', 'bob', 'cleo'].map(call);
  const accounts = () => atWork.map(({ account }) => account);
  await settled();
  expect(accounts()).toEqual(['ann', 'ann', 'bob']);
  for (const [ended, begun] of [
    [2, 'bob'],
    [3, 'cleo'],
    [0, 'ann'],
    [4, undefined],
    [1, 'ann'],
  ] as const) {
    const before = atWork.length;
    atWork[ended]?.end();
    await settled();
    expect(accounts()[before]).toBe(begun);
  }
  for (const { end } of atWork) end();
  expect(await Promise.all(calls)).toEqual(['ann', 'ann', 'ann', 'ann', 'bob', 'bob', 'cleo']);
});
