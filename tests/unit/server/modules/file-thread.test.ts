import { setImmediate as nextTurn } from 'node:timers/promises';
import { strFromU8, unzipSync } from 'fflate';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFileThread, type FileThread } from '../../../../server/modules/files/index.ts';

let thread: FileThread;
beforeEach(() => {
  thread = createFileThread({ error: () => {} });
});
afterEach(() => thread.close());

/** Lines that all differ between versions. */
const text = (version: string, lines: number) => Array.from({ length: lines }, (_, index) => `${version} ${index}\n`).join('');
const changed = (path: string, lines: number) => ({ path, before: text('old', lines), after: text('new', lines) });

test('R42.01 files are compared on a thread, in their order, without those that are the same', async () => {
  const same = { path: 'b.ts', before: 'x\n', after: 'x\n' };
  const changes = await thread.compare([changed('a.ts', 1), same, { path: 'c.ts', before: null, after: 'c\n' }]);
  const plain = { from: null, similarity: null, executable: null, isBinary: false };
  expect(changes).toEqual([
    { path: 'a.ts', change: 'changed', ...plain, additions: 1, deletions: 1, diff: expect.stringContaining('-old 0\n+new 0\n') },
    { path: 'c.ts', change: 'added', ...plain, additions: 1, deletions: 0, diff: expect.stringContaining('+c\n') },
  ]);
  expect(await thread.compare([])).toEqual([]);
});

test('R42.01 files are packed on a thread', async () => {
  const createdAt = new Date('2026-11-20T10:00:00Z');
  const bytes = await thread.pack([{ path: 'src/a.ts', content: 'a\n', createdAt }]);
  expect(strFromU8(unzipSync(bytes)['src/a.ts'] ?? new Uint8Array())).toBe('a\n');
});

test('R42.01 other calls have their turns while the thread compares files', async () => {
  let isCompared = false;
  const compared = thread.compare(Array.from({ length: 5 }, (_, index) => changed(`${index}.ts`, 5_000))).then(() => {
    isCompared = true;
  });
  let turns = 0;
  while (!isCompared) {
    await nextTurn();
    turns += 1;
  }
  await compared;
  expect(turns).toBeGreaterThan(200);
});

test('R42.01 once many lines have differed, later files are shown as written anew sooner', async () => {
  const lines = 400;
  const half = (path: string) => ({
    path,
    before: text('old', lines / 2) + text('same', lines),
    after: text('new', lines / 2) + text('same', lines),
  });
  const costly = Array.from({ length: 20 }, (_, index) => changed(`${index}.ts`, 1_000));
  const additionsOf = async (files: Parameters<FileThread['compare']>[0]) => (await thread.compare(files)).at(-1)?.additions;
  expect(await additionsOf([half('last.ts')])).toBe(lines / 2);
  expect(await additionsOf([...costly, half('last.ts')])).toBe(lines / 2 + lines);
});

test('R42.01 the comparison that the thread works on is refused when the server closes', async () => {
  const compared = thread.compare(Array.from({ length: 200 }, (_, index) => changed(`${index}.ts`, 5_000)));
  const refused = expect(compared).rejects.toThrow();
  await thread.close();
  await refused;
});
