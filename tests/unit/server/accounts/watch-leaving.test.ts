import type pg from 'pg';
import { expect, test } from 'vitest';
import { createLeavingWatch } from '../../../../server/modules/accounts/watch-leaving.ts';

const broken = 'broken';

/** The accounts of a database: those with work that has not stopped, and those whose time is over, with the end of their lease. */
function poolWith({ atWork, due }: { atWork: string[]; due: string[] }) {
  const free = new Set(due);
  const query = async (text: string, values: unknown[] = []) => {
    if (text.startsWith('SELECT')) return { rows: atWork.map((id) => ({ id })) };
    if (text.includes("'epoch'")) free.add(String(values[0]));
    else {
      const id = due.find((one) => free.delete(one));
      return { rows: id === undefined ? [] : [{ id }] };
    }
    return { rows: [] };
  };
  return { pool: { query } as unknown as pg.Pool, free };
}

function watch(accounts: { atWork: string[]; due: string[] }) {
  const { pool, free } = poolWith(accounts);
  const stopped: string[] = [];
  const removed: string[] = [];
  const warned: object[] = [];
  const watching = createLeavingWatch({
    pool,
    stopWork: async (userId) => {
      if (userId === broken && accounts.atWork.includes(userId)) throw new Error('a run that cannot be stopped');
      stopped.push(userId);
    },
    remove: async (userId, signal) => {
      signal.throwIfAborted();
      if (userId === broken) throw new Error('an account that cannot be removed');
      removed.push(userId);
    },
    now: () => new Date(0),
    log: { info: () => {}, warn: (about) => warned.push(about) },
  });
  const look = async () => {
    watching.start(60_000);
    await expect.poll(() => removed.length + warned.length).toBeGreaterThanOrEqual(2);
    await watching.stop();
  };
  return { look, stopped, removed, warned, free };
}

test('G8.08 an account that cannot be removed keeps its lease, and the next ones are removed', async () => {
  const { look, removed, warned, free } = watch({ atWork: [], due: [broken, 'ann'] });
  await look();
  expect(removed).toEqual(['ann']);
  expect(warned).toMatchObject([{ userId: broken }]);
  expect([...free]).toEqual([]);
});

test('G8.07 an account whose work cannot be stopped does not delay stopping the work of other leaving accounts', async () => {
  const { look, stopped, warned } = watch({ atWork: [broken, 'ann'], due: ['bob'] });
  await look();
  expect(stopped).toEqual(['ann', 'bob']);
  expect(warned).toMatchObject([{ userId: broken }]);
});
