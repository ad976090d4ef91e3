import { join, relative, win32 } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { admitFiles, type BasePath } from '../../../../server/modules/files/admit-files.ts';
import { fileBlocksOf, largestFile, maxFiles } from '../../../../server/modules/files/file-blocks.ts';
import { safePath } from '../../../../server/modules/files/safe-path.ts';

const block = (path: string, content: string, fence = '```', language = 'ts') => `${fence}${language} path=${path}\n${content}${fence}`;
const kept = (text: string) => fileBlocksOf(text).files.map(({ path, content }) => [path, content]);
const refusals = (text: string) => fileBlocksOf(text).refused.map(({ path, reason }) => [path, reason]);

describe('files in an answer', () => {
  test('R42.01 a long fence or many paths with a line separator behind them cost their length', () => {
    expect(kept(`${'~'.repeat(400_000)}\u2028path=\nx`)).toEqual([]);
    expect(kept(`${'```'}ts ${'path= '.repeat(100_000)}\u2028\nx\n${'```'}`)).toEqual([]);
  });

  test('R42.01 files in an answer are the fenced blocks whose first line ends in a path', () => {
    const text = `Two files.\n\n${block('src/a.ts', 'one\ntwo\n')}\n\n~~~\nno file\n~~~\n${block('b.md', '', '~~~', 'md')}\n`;
    expect(fileBlocksOf(text)).toEqual({
      files: [
        { path: 'src/a.ts', language: 'ts', content: 'one\ntwo\n', size: 8 },
        { path: 'b.md', language: 'md', content: '', size: 0 },
      ],
      refused: [],
    });
  });

  test.each([
    ['a longer fence holds shorter ones', '````md path=a.md\n```ts path=b.ts\nx\n```\n````', [['a.md', '```ts path=b.ts\nx\n```\n']]],
    ['the other kind of fence does not end it', '```md path=a.md\n~~~\nx\n~~~\n```', [['a.md', '~~~\nx\n~~~\n']]],
    ['a longer fence of its own kind ends it', '```ts path=a.ts\nx\n`````\ny', [['a.ts', 'x\n']]],
    ['a fence with words behind it does not end it', '```md path=a.md\n```js\nx\n```', [['a.md', '```js\nx\n']]],
    ['line ends of Windows', '```ts path=a.ts\r\none\r\n\r\ntwo\r\n```\r\n', [['a.ts', 'one\n\ntwo\n']]],
    [
      'quotes around the path',
      '```ts path="a b.ts"\nx\n```\n~~~ path=`c.ts`\ny\n~~~',
      [
        ['a b.ts', 'x\n'],
        ['c.ts', 'y\n'],
      ],
    ],
    [
      'a block in a list, with its indent taken off',
      '1. File:\n\n   ```py path=a.py\n   if x:\n     y\n   ```',
      [['a.py', 'if x:\n  y\n']],
    ],
    ['a block right behind a list mark', '- ```ts path=a.ts\n  x\n  ```', [['a.ts', 'x\n']]],
    ['the last of two with one path', `${block('a.ts', 'old\n')}\n${block('./a.ts', 'new\n')}`, [['a.ts', 'new\n']]],
    ['nothing of a piece of code within a line', '```ts path=a.ts```\nx\n', []],
    ['nothing of another block’s text', '```\n```ts path=a.ts\nx\n```', []],
    ['nothing of words that only look like it', '```ts xpath=a.ts\nx\n```\npath=a.ts\n', []],
  ])('R42.01 %s', (_name, text, files) => {
    expect(kept(text)).toEqual(files);
  });

  test('R42.01 files keep the language that is named behind the fence', () => {
    const languages = ['```ts path=a\n```', '``` path=b\n```', '```path=c\n```', '```c++ title path=d\n```', '```<x> path=e\n```'];
    expect(fileBlocksOf(languages.join('\n')).files.map(({ language }) => language)).toEqual(['ts', null, null, 'c++', null]);
  });

  test('R42.01 files that are cut off, too large or too many are named and not kept', () => {
    expect(refusals('```ts path=a.ts\nconst half')).toEqual([['a.ts', 'unclosed']]);
    expect(refusals(block('big.txt', `${'ы'.repeat(largestFile / 2)}\n`))).toEqual([['big.txt', 'too_large']]);
    expect(refusals(block('zero.bin', 'a\0b\n'))).toEqual([['zero.bin', 'binary']]);
    const many = Array.from({ length: maxFiles + 2 }, (_, index) => block(`${index}.txt`, 'x\n')).join('\n');
    expect(fileBlocksOf(many).files).toHaveLength(maxFiles);
    expect(refusals(many)).toEqual([maxFiles, maxFiles + 1].map((index) => [`${index}.txt`, 'no_room']));
  });

  test('R42.01 files are read from the first fences of an answer, with any text in the rest', () => {
    const fences = '```\nx\n```\n'.repeat(6_000);
    expect(kept(`${block('first.ts', 'x\n')}\n${fences}${block('late.ts', 'x\n')}`)).toEqual([['first.ts', 'x\n']]);
    expect(kept(`${block('first.ts', 'x\n')}\n${'\r\n- x'.repeat(200_000)}\n${block('late.ts', 'x\n')}`)).toHaveLength(2);
  });

  test('R42.01 files with a path or a text far beyond the limits are refused', () => {
    expect(refusals(block('./'.repeat(3_000), 'x\n'))).toEqual([['./'.repeat(150), 'path_too_long']]);
    expect(refusals(block('big.txt', '\n'.repeat(900_000)))).toEqual([['big.txt', 'too_large']]);
    expect(refusals(block('big.txt', '\n'.repeat(largestFile + 1)))).toEqual([['big.txt', 'too_large']]);
  });

  test('R42.01 files are found again as they were written, with any content and any text between them', () => {
    const name = fc.stringMatching(/^[a-zA-Zа-я0-9_][\wа-я -]{0,10}[\wа-я]$/).filter((text) => safePath(text).ok);
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    const line = fc.oneof(
      fc.constantFrom('', '```', '~~~', '````ts path=x.ts', '  ```', '- item', '\t', 'path=y'),
      fc.string({ unit: 'grapheme' }),
    );
    const content = fc.array(
      line.map((text) => text.replaceAll(/[\r\n\0]/g, '')),
      { maxLength: 8 },
    );
    const prose = fc.constantFrom('', 'Words.', '## Heading', '> quote', '`code`', '| a | b |');
    const files = fc.uniqueArray(fc.record({ path, content, prose, tilde: fc.boolean() }), { selector: (file) => file.path, maxLength: 6 });
    fc.assert(
      fc.property(files, fc.constantFrom('\n', '\r\n'), (written, end) => {
        const text = written
          .flatMap(({ path: named, content: lines, prose: before, tilde }) => {
            const longest = Math.max(2, ...lines.flatMap((text) => [...text.matchAll(/`+|~+/g)].map(([run]) => run.length)));
            const fence = (tilde ? '~' : '`').repeat(longest + 1);
            return [before, `${fence}ts path=${named}`, ...lines, fence];
          })
          .join(end);
        expect(kept(text)).toEqual(written.map(({ path: named, content: lines }) => [named, lines.map((each) => `${each}\n`).join('')]));
      }),
    );
  });

  test('R42.01 any text is read, and what comes out is safe and within bounds', () => {
    const piece = fc.oneof(
      fc.constantFrom('```ts path=', '~~~', '```', '../', '/etc/passwd', 'C:\\x', '\n', '\r\n', '"', 'a.ts', '\u202e', '\0', '\ud800', ' '),
      fc.string({ unit: 'binary', maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const { files, refused } = fileBlocksOf(pieces.join(''));
        expect(new Set(files.map((file) => file.path)).size).toBe(files.length);
        for (const file of files) {
          expect(safePath(file.path)).toEqual({ ok: true, path: file.path });
          expect([file.content.isWellFormed(), file.content.includes('\0')]).toEqual([true, false]);
          expect(file.size).toBe(Buffer.byteLength(file.content));
        }
        for (const { path } of refused) expect([path.isWellFormed(), /\p{Cc}/u.test(path)]).toEqual([true, false]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a path', () => {
  test.each([
    ['src/a.ts', 'src/a.ts'],
    ['./src//./a.ts', 'src/a.ts'],
    ['src\\app\\a.ts', 'src/app/a.ts'],
    ['  "src/a b.ts" ', 'src/a b.ts'],
    ['.github/workflows/ci.yml', '.github/workflows/ci.yml'],
    ['pages/[id].tsx', 'pages/[id].tsx'],
    ['e\u0301.ts', '\u00e9.ts'],
    ['документы/план.md', 'документы/план.md'],
    ['__proto__', '__proto__'],
  ])('R42.01 %j is kept as %j', (raw, path) => {
    expect(safePath(raw)).toEqual({ ok: true, path });
  });

  test.each([
    ['', 'path_empty'],
    ['""', 'path_empty'],
    ['.', 'path_empty'],
    ['src/', 'path_empty'],
    ['src/.', 'path_empty'],
    ['/etc/passwd', 'path_absolute'],
    ['\\\\server\\share', 'path_absolute'],
    ['C:\\Windows\\x', 'path_absolute'],
    ['c:x', 'path_absolute'],
    ['~/x', 'path_absolute'],
    ['./~', 'path_absolute'],
    [`"''"`, 'path_characters'],
    ['./C:/x', 'path_characters'],
    ['../x', 'path_outside'],
    ['a/../../x', 'path_outside'],
    ['a\\..\\x', 'path_outside'],
    ['a\0b', 'path_characters'],
    ['a\u202egpj.exe', 'path_characters'],
    ['a\ud800', 'path_characters'],
    ['a?b', 'path_characters'],
    ['file:stream', 'path_characters'],
    ['a / b', 'path_characters'],
    ['a/.. /b', 'path_characters'],
    ['a/.../b', 'path_reserved'],
    ['a.', 'path_reserved'],
    ['src/CON.txt', 'path_reserved'],
    ['.git/hooks/pre-commit', 'path_reserved'],
    ['sub/.GIT/config', 'path_reserved'],
    ['git~1/config', 'path_reserved'],
    ['x'.repeat(301), 'path_too_long'],
    ['ы'.repeat(128), 'path_too_long'],
    [`${'a/'.repeat(30)}a`, 'path_too_long'],
  ])('R42.01 %j is refused: %s', (raw, reason) => {
    expect(safePath(raw)).toEqual({ ok: false, reason });
  });

  test('R42.01 does not lead out of the folder that it is unpacked in, on any system', () => {
    const part = fc.oneof(
      fc.constantFrom('..', '.', '/', '\\', 'a', ' ', 'C:', '~', '%2e%2e', '．．', '\u0000'),
      fc.string({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const safe = safePath(parts.join(''));
        if (!safe.ok) return;
        expect(relative('/root/here', join('/root/here', safe.path))).toBe(safe.path);
        expect(win32.resolve('C:\\here', safe.path).startsWith('C:\\here\\')).toBe(true);
        expect(safePath(safe.path)).toEqual(safe);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('beside what the execution holds', () => {
  const file = (path: string, size = 1) => ({ path, language: null, content: 'x', size });
  const admitted = (paths: string[], held: string[] = [], base: BasePath[] = []) => {
    const { files, refused } = admitFiles(
      { files: paths.map((path) => file(path)), refused: [] },
      held.map((path) => ({ path, size: 1 })),
      base,
    );
    return { files: files.map(({ path }) => path), refused: refused.map(({ path, reason }) => `${path} ${reason}`) };
  };

  test('R42.01 a new version and a new file are taken', () => {
    expect(admitted(['a.ts', 'src/b.ts'], ['a.ts', 'src/c.ts'])).toEqual({ files: ['a.ts', 'src/b.ts'], refused: [] });
  });

  test.each([
    ['README.md', 'readme.MD'],
    ['src', 'src/a.ts'],
    ['src/a.ts', 'src'],
    ['src/a.ts', 'SRC'],
    ['Src', 'src/a/b.ts'],
  ])('R42.01 with %s there, %s is refused: unpacked, one of the two would be lost', (there, path) => {
    expect(admitted([path], [there])).toEqual({ files: [], refused: [`${path} path_taken`] });
    expect(admitted([there, path])).toEqual({ files: [there], refused: [`${path} path_taken`] });
    expect(admitted([path], [], [{ path: there, isReplaceable: true }])).toEqual({ files: [], refused: [`${path} path_taken`] });
  });

  test('R42.01 a text of the base tree is replaced, another file of it is not; neither takes room', () => {
    const base = Array.from({ length: 2_000 }, (_, index) => ({ path: `${index}.txt`, isReplaceable: index !== 1 }));
    expect(admitted(['0.txt', '1.txt', 'new.txt'], [], base)).toEqual({ files: ['0.txt', 'new.txt'], refused: ['1.txt not_replaceable'] });
  });

  test('R42.01 an execution holds so many paths and so many bytes, and no more', () => {
    const held = Array.from({ length: 1_000 }, (_, index) => `${index}.txt`);
    expect(admitted(['1.txt', 'new.txt'], held)).toEqual({ files: ['1.txt'], refused: ['new.txt no_room'] });
    const full = admitFiles({ files: [file('a', 2)], refused: [] }, [{ path: 'b', size: 8 * 1024 * 1024 - 1 }], []);
    expect(full).toEqual({ files: [], refused: [{ path: 'a', reason: 'no_room' }] });
  });
});
