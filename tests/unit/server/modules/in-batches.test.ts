import { expect, test } from 'vitest';
import { inBatches } from '../../../../server/modules/retention/index.ts';

test('R23.01 batches follow each other until nothing is left, and none begins after the server was told to stop', async () => {
  const ofAll = [true, true, false, true];
  let begun = 0;
  await inBatches(new AbortController().signal, async () => ofAll[begun++] ?? false);
  expect(begun).toBe(3);

  const closing = new AbortController();
  begun = 0;
  await inBatches(closing.signal, async () => {
    begun += 1;
    if (begun === 2) closing.abort();
    return true;
  });
  expect(begun).toBe(2);
});
