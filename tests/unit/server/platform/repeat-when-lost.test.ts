import { expect, test } from 'vitest';
import { repeatWhenLost } from '../../../../server/platform/database/repeat-when-lost.ts';

const lost = Object.assign(new Error('the database system is in recovery mode'), { code: '57P03' });
const full = Object.assign(new Error('could not extend file'), { code: '53100' });

/** Work that fails with these errors, one after the other, and then succeeds. */
function failing(...errors: Error[]) {
  const calls: string[] = [];
  const work = async () => {
    calls.push('work');
    const error = errors.shift();
    if (error) throw new Error('Failed query', { cause: error });
    return 'done';
  };
  const untilAnswers = async () => {
    calls.push('wait');
  };
  return { calls, work, untilAnswers };
}

test('R10.01 a step of the start is repeated after the database was lost and is back', async () => {
  const { calls, work, untilAnswers } = failing(lost, Object.assign(new Error('connect ENOENT'), { code: 'ENOENT', syscall: 'connect' }));
  expect(await repeatWhenLost(work, untilAnswers)).toBe('done');
  expect(calls).toEqual(['work', 'wait', 'work', 'wait', 'work']);
});

test('R10.01 a full disk and a missing file are no lost database: the start fails at once', async () => {
  for (const error of [full, Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' })]) {
    const { calls, work, untilAnswers } = failing(error);
    await expect(repeatWhenLost(work, untilAnswers)).rejects.toMatchObject({ cause: error });
    expect(calls).toEqual(['work']);
  }
});

test('R10.01 a step that ends the database each time is given up', async () => {
  const { calls, work, untilAnswers } = failing(...Array.from({ length: 100 }, () => lost));
  await expect(repeatWhenLost(work, untilAnswers)).rejects.toMatchObject({ cause: lost });
  expect(calls.filter((call) => call === 'work')).toHaveLength(6);
});

test('R10.01 the start fails with the reason for which the database does not come back', async () => {
  const { work } = failing(lost);
  await expect(repeatWhenLost(work, () => Promise.reject(full))).rejects.toBe(full);
});
