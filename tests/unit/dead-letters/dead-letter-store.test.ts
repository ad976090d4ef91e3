import { expect, test } from 'vitest';
import type { DeadLetter } from '../../../contract/executions/dead-letter.ts';
import { ApiError } from '../../../src/api/api-error.ts';
import type { Api } from '../../../src/api/create-api.ts';
import { DeadLetterStore } from '../../../src/app/dead-letters/dead-letter-store.ts';

const letter = (id: string): DeadLetter => ({
  ...{ id, kind: 'execution', workId: `run-${id}`, email: 'a@example.org', projectName: 'P', stepsDone: 1, stepsTotal: 3 },
  ...{ reason: 'Lost.', diedAt: '2026-11-20T12:00:00.000Z' },
});

/** A store on a server that lists these letters and answers every other call with `answer`. */
async function storeWith(
  letters: DeadLetter[],
  answer: () => unknown = () => undefined,
): Promise<{ store: DeadLetterStore; calls: string[] }> {
  const calls: string[] = [];
  const call = async (name: string, { query }: { query?: { offset: number } } = {}) => {
    calls.push(name);
    return name === 'deadLetter.list' ? letters.slice(query?.offset, (query?.offset ?? 0) + 200) : answer();
  };
  const store = new DeadLetterStore({ call } as unknown as Api);
  await store.load();
  return { store, calls };
}

const refuse = (status: number, code: string) => () => {
  throw new ApiError({ status, code, message: code });
};

test('R23.01 all dead letters are read, page by page', async () => {
  const { store, calls } = await storeWith(Array.from({ length: 450 }, (_, index) => letter(`${index}`)));
  expect([store.get().status, store.get().items.length, calls.length]).toEqual(['ready', 450, 3]);
});

test('R23.01 retried work leaves the list and the outcome is shown', async () => {
  const { store } = await storeWith([letter('a'), letter('b')]);
  await store.retry(letter('a'));
  expect(store.get()).toMatchObject({
    items: [{ id: 'b' }],
    outcome: { kind: 'retried', of: 'execution' },
    busyId: null,
    problem: null,
  });
});

test('R23.01 a second press during a retry makes no second call', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { store, calls } = await storeWith([letter('a')], () => promise);
  const both = [store.retry(letter('a')), store.retry(letter('a'))];
  expect(store.get().busyId).toBe('a');
  resolve();
  await Promise.all(both);
  expect(calls.filter((name) => name === 'deadLetter.retry')).toHaveLength(1);
});

test.each([
  ['was retried by a colleague leaves the list', 404, 'not_found', []],
  ['is gone stays, and cannot be retried', 409, 'work_gone', [{ id: 'a', workId: null }]],
  ['cannot be retried now stays as it was', 503, 'unavailable', [{ id: 'a', workId: 'run-a' }]],
])('R23.01 work that %s, and the reason is shown', async (_what, status, code, letters) => {
  const { store } = await storeWith([letter('a')], refuse(status, code));
  await store.retry(letter('a'));
  expect(store.get()).toMatchObject({ items: letters, problem: { code }, outcome: null, busyId: null });
  expect(store.get().items).toHaveLength(letters.length);
});
