import { expect, test } from 'vitest';
import { droppedFiles } from '../../../../src/canvas/overlay/dialog/files/dropped-files.ts';

const file = (name: string) => ({
  ...{ name, isDirectory: false, isFile: true },
  file: (give: (file: File) => void) => give(new File([`text of ${name}`], name)),
});
/** A folder whose entries come in parts of two, as browsers give a hundred at a time. */
const folder = (name: string, entries: object[]) => ({
  ...{ name, isDirectory: true, isFile: false },
  createReader: () => {
    const left = [...entries];
    return { readEntries: (give: (part: object[]) => void) => give(left.splice(0, 2)) };
  },
});
const unreadable = (name: string) => ({
  ...{ name, isDirectory: false, isFile: true },
  file: (_give: unknown, refuse: (why: Error) => void) => refuse(new Error('NotReadableError')),
});
/** A folder that cannot be read to its end. */
const locked = (name: string, ...entries: object[]) => ({
  ...{ name, isDirectory: true, isFile: false },
  createReader: () => {
    const parts = [entries];
    return {
      readEntries: (give: (part: object[]) => void, refuse: (why: Error) => void) => {
        const part = parts.pop();
        if (part && part.length > 0) give(part);
        else refuse(new Error('NotReadableError'));
      },
    };
  },
});
const drop = (...entries: object[]) =>
  droppedFiles({ items: entries.map((entry) => ({ webkitGetAsEntry: () => entry as never })), files: [] });

test('G3.17 a dropped folder gives its files with their paths, in order, without history and packages', async () => {
  const { files, unreadable: none } = await drop(
    folder('shop', [file('z.ts'), folder('src', [file('b.ts'), file('a.ts'), file('c.ts')]), folder('.git', [file('HEAD')])]),
    folder('node_modules', [file('left-pad.js')]),
    file('note.txt'),
  );
  expect(files.map(({ name }) => name)).toEqual(['shop/src/a.ts', 'shop/src/b.ts', 'shop/src/c.ts', 'shop/z.ts', 'note.txt']);
  expect(await files[0]?.text()).toBe('text of a.ts');
  expect(none).toEqual([]);
});

test('G3.17 unreadable files of a dropped folder are named, and the other files are added', async () => {
  const { files, unreadable: named } = await drop(
    folder('shop', [file('a.ts'), unreadable('b.ts'), locked('deep', file('d.ts')), locked('src'), file('z.ts')]),
    unreadable('note.txt'),
    file('plan.txt'),
  );
  expect(files.map(({ name }) => name)).toEqual(['shop/a.ts', 'shop/deep/d.ts', 'shop/z.ts', 'plan.txt']);
  expect(named).toEqual(['shop/b.ts', 'shop/deep', 'shop/src', 'note.txt']);
});

test('G3.17 reading a huge folder stops one file after the maximum that a run takes one by one', async () => {
  const many = Array.from({ length: 3_000 }, (_, at) => file(`${at}.ts`));
  expect((await drop(folder('huge', many))).files).toHaveLength(26);
});

test('G3.17 dropped files without a folder are taken as the browser gives them', async () => {
  const given = [new File(['x'], 'a.txt')];
  const items = [{ webkitGetAsEntry: () => file('a.txt') as never }];
  expect(await droppedFiles({ items, files: given })).toEqual({ files: given, unreadable: [] });
});
