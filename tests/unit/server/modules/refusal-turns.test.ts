import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { RefusalTurns } from '../../../../server/modules/api-keys/refusal-turns.ts';

test('K2.07 ten thousand refusals at once are spread over many turns of the event loop, and all of them are made', async () => {
  const turns = new RefusalTurns();
  let refused = 0;
  const all = Promise.all(Array.from({ length: 10_000 }, () => turns.take().then(() => refused++)));
  const perTurn: number[] = [];
  while (refused < 10_000) {
    const before = refused;
    await nextTurn();
    perTurn.push(refused - before);
  }
  await all;
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(16);
  // It begins again after a pause.
  await turns.take();
});
