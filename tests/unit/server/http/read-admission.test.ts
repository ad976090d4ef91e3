import { expect, test } from 'vitest';
import { ReadAdmission } from '../../../../server/http/limits/read-admission.ts';
import { currentTurn, inTurnOf } from '../../../../server/platform/database/account-turns.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));
const signal = new AbortController().signal;
const large = { rows: 10_000, length: 40_000 };
const long = { rows: 1, length: 5_000_000 };
const small = { rows: 12, length: 900 };

/** Reads that run until a test ends them, with a size. */
function reads() {
  const admission = new ReadAdmission();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const read = (reader: string, route: string, { rows, length }: typeof small) =>
    inTurnOf(reader, () =>
      admission.run({ reader, route, waitsElsewhere: route === 'bundle', signal }, async () => {
        begun.push(`${reader} ${route}`);
        await new Promise<void>((resolve) => ends.set(`${reader} ${route}`, resolve));
        currentTurn().rows += rows;
        return length;
      }),
    );
  const end = async (reader: string, route: string) => {
    ends.get(`${reader} ${route}`)?.();
    await settle();
  };
  const done = async (reader: string, route: string, size: typeof small) => {
    const ended = read(reader, route, size);
    await settle();
    await end(reader, route);
    await ended;
    begun.length = 0;
  };
  return { begun, read, end, done };
}

test('G8.29 an account has two reads of its own at once, also while other accounts read as much as they may', async () => {
  const { begun, read } = reads();
  for (const reader of ['ann', 'ann', 'ann', 'bob', 'bob', 'bob', 'cleo', 'cleo', 'cleo']) void read(reader, 'details', small);
  await settle();
  expect(begun).toEqual(['ann', 'ann', 'bob', 'bob', 'cleo', 'cleo'].map((reader) => `${reader} details`));
});

test('G8.29 reads that were large the last time, by rows or by length, run one at a time, and accounts take turns', async () => {
  const { begun, read, end, done } = reads();
  await done('ann', 'diagnostics', large);
  await done('bob', 'links', long);
  for (let many = 0; many < 2; many += 1) {
    void read('ann', 'diagnostics', large);
    void read('bob', 'links', long);
  }
  await settle();
  expect(begun).toEqual(['ann diagnostics']);
  void read('ann', 'project', small);
  void read('bob', 'diagnostics', small);
  await settle();
  expect(begun.slice(1)).toEqual(['ann project', 'bob diagnostics']);
  await end('ann', 'diagnostics');
  await end('ann', 'diagnostics');
  await end('bob', 'links');
  expect(begun.slice(3).sort()).toEqual(['ann diagnostics', 'bob links', 'bob links']);
});

test('G8.29 a read whose last answer was small no longer waits for large reads', async () => {
  const { begun, read, end, done } = reads();
  await done('ann', 'details', long);
  await done('ann', 'details', small);
  await done('bob', 'links', long);
  void read('bob', 'links', long);
  void read('ann', 'details', small);
  await settle();
  expect(begun).toEqual(['bob links', 'ann details']);
  await end('bob', 'links');
  await end('ann', 'details');
});

test('G8.29 a large file that waits in a queue of its own does not hold up the large reads of others', async () => {
  const { begun, read, end, done } = reads();
  await done('ann', 'bundle', long);
  await done('bob', 'links', long);
  void read('ann', 'bundle', long);
  void read('bob', 'links', long);
  await settle();
  expect(begun).toEqual(['ann bundle', 'bob links']);
  await end('ann', 'bundle');
  await end('bob', 'links');
});
