import { expect, test } from 'vitest';
import type { DeadLetter } from '../../../contract/executions/dead-letter.ts';
import { useDeadLetters } from '../../../src/app/dead-letters/use-dead-letters.ts';
import { hookOn, refuse } from '../../support/played-data.ts';

const letter = (id: string): DeadLetter => ({
  ...{ id, kind: 'execution', workId: `run-${id}`, email: 'a@example.org', projectName: 'P', stepsDone: 1, stepsTotal: 3 },
  ...{ reason: 'Lost.', diedAt: '2026-11-20T12:00:00.000Z' },
});

/** The letters on a server that lists these and answers every other call with `answer`, which gets a function that changes them. */
async function lettersOn(letters: DeadLetter[], answer: (list: (left: DeadLetter[]) => void) => unknown = (list) => list([])) {
  let listed = letters;
  const settle = () => answer((left) => (listed = left));
  const read = ({ query }: { query?: Record<string, unknown> }) => listed.slice(Number(query?.offset), Number(query?.offset) + 200);
  const part = hookOn({ 'deadLetter.list': read, 'deadLetter.retry': settle, 'deadLetter.remove': settle }, useDeadLetters);
  await expect.poll(() => part.get().list.loading).toBe(false);
  return part;
}

test('R23.01 all dead letters are read, page by page', async () => {
  const { get, calls } = await lettersOn(Array.from({ length: 450 }, (_, index) => letter(`${index}`)));
  expect([get().problem, get().list.value?.length, calls.length]).toEqual([null, 450, 3]);
});

test('R23.01 retried work leaves the list and the outcome is shown', async () => {
  const { get } = await lettersOn([letter('a'), letter('b')], (list) => list([letter('b')]));
  await get().retry(letter('a'));
  expect(get()).toMatchObject({
    list: { value: [{ id: 'b' }] },
    outcome: { kind: 'retried', of: 'execution' },
    busyId: null,
    problem: null,
  });
});

test('R23.01 a second press during a retry makes no second call', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { get, calls } = await lettersOn([letter('a')], () => promise);
  const both = [get().retry(letter('a')), get().retry(letter('a'))];
  expect(get().busyId).toBe('a');
  both.push(get().retry(letter('b')));
  expect(get().busyId).toBe('a');
  resolve();
  await Promise.all(both);
  expect(calls.filter((name) => name === 'deadLetter.retry')).toHaveLength(1);
});

test.each([
  ['was retried by a colleague leaves the list', 'not_found', []],
  ['is gone stays, and cannot be retried', 'work_gone', [{ ...letter('a'), workId: null }]],
  ['cannot be retried now stays as it was', 'unavailable', [letter('a')]],
])('R23.01 work that %s, and the reason is shown', async (_what, code, left) => {
  const { get } = await lettersOn([letter('a')], (list) => {
    list(left);
    return refuse(code)();
  });
  await get().retry(letter('a'));
  await expect.poll(() => get().list.value).toEqual(left);
  expect(get()).toMatchObject({ problem: { code }, outcome: null, busyId: null });
});
