import { expect, test } from 'vitest';
import { Rights } from '../../../../server/modules/triggers/forge/rights.ts';

const person = (login: string) => ({ id: login, login, isBot: false });

test('L6.03 a right is asked once a day, also over many readings, and a missing one after ten minutes', async () => {
  let now = Date.parse('2026-01-15T09:00:00Z');
  const asked: string[] = [];
  const ask = async ({ login }: { login: string }) => {
    asked.push(login);
    return login === 'bob';
  };
  let kept = {};
  const read = async () => {
    const rights = new Rights(kept, { ask, now: () => new Date(now) });
    const may = [await rights.mayWrite(person('bob')), await rights.mayWrite(person('eve')), await rights.mayWrite(person('bob'))];
    kept = JSON.parse(JSON.stringify(rights.kept()));
    return may;
  };
  expect(await read()).toEqual([true, false, true]);
  expect(await read()).toEqual([true, false, true]);
  expect(asked).toEqual(['bob', 'eve']);
  now += 11 * 60_000;
  await read();
  expect(asked).toEqual(['bob', 'eve', 'eve']);
  now += 24 * 60 * 60_000;
  await read();
  expect(asked).toEqual(['bob', 'eve', 'eve', 'bob', 'eve']);
});

test('L6.03 an answer that failed is no right, and what is kept has a limit', async () => {
  const now = () => new Date('2026-01-15T09:00:00Z');
  const failing = new Rights({}, { ask: () => Promise.reject(new Error('away')), now });
  await expect(failing.mayWrite(person('bob'))).rejects.toThrow('away');
  expect(failing.kept()).toEqual({});
  const many = new Rights({}, { ask: async () => true, now });
  for (let at = 0; at < 600; at++) await many.mayWrite(person(`user-${at}`));
  expect(Object.keys(many.kept())).toHaveLength(500);
});
