import { expect, test } from 'vitest';
import { readInTurns } from '../../../../server/modules/realtime/read-in-turns.ts';

test('R19.01 long messages are read in their order, and other work of the process is done between them', async () => {
  const done: string[] = [];
  setImmediate(() => done.push('other work'));
  const read = new Promise<void>((resolve) => {
    for (let number = 1; number <= 4; number += 1) readInTurns(20_000, () => done.push(`long ${number}`));
    readInTurns(0, resolve);
  });
  await read;
  expect(done).toEqual(['long 1', 'long 2', 'other work', 'long 3', 'long 4']);
});

test('R19.01 a message that arrives alone is read at once', () => {
  let isRead = false;
  readInTurns(10, () => {
    isRead = true;
  });
  expect(isRead).toBe(true);
});
