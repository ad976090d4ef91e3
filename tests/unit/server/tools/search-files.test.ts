import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FoundLine, linesIn } from '../../../../server/modules/tools/files/lines-in.ts';
import {
  containing,
  type FoundLines,
  maxSearchMs,
  type Searching,
  searchFiles,
  writtenLines,
} from '../../../../server/modules/tools/files/search-files.ts';
import { faultOf } from '../../../../server/modules/tools/files/search-thread.ts';
import { matchPaths, searchExpression } from '../../../../server/modules/tools/files/search-worker.ts';

const linesOf = (words: string, text: string, context = 0): FoundLine[] =>
  [...linesIn(text, containing(words), context)].filter((one) => one !== null);
const found = (words: string, text: string) => linesOf(words, text).map(({ line, text: own }) => ({ line, text: own }));

/** The worker's tasks, without a thread. */
const thread: Searching['thread'] = {
  search: async (expression, texts, limits) => searchExpression({ expression, texts, limits }),
  matchPaths: async (pattern, paths) => matchPaths({ pattern, paths }),
  close: async () => {},
};

async function* texts(...contents: string[]) {
  for (const [at, text] of contents.entries()) yield { path: `${at}.txt`, text };
}

const searching = (query: string, given: Partial<Searching> = {}): Searching => ({
  query,
  isExpression: false,
  context: 0,
  thread,
  signal: new AbortController().signal,
  elapsed: () => 0,
  ...given,
});

test('G3.04 the lines that contain a text are found in any case, once each, with their numbers', () => {
  expect(found('colour', 'a\nColour and COLOUR\n\nno\nthe colour')).toEqual([
    { line: 2, text: 'Colour and COLOUR' },
    { line: 5, text: 'the colour' },
  ]);
  expect(found('ЁЖ', 'ёж\r\n')).toEqual([{ line: 1, text: 'ёж' }]);
  expect(found('\u039f\u03a3', '\u0130\u0130 \u03bf\u03c2 \u03bf\u03c3')).toEqual([
    { line: 1, text: '\u0130\u0130 \u03bf\u03c2 \u03bf\u03c3' },
  ]);
  expect(found('a.*b', 'acb\na.*b')).toEqual([{ line: 2, text: 'a.*b' }]);
});

test('G3.04 a text is found wherever it stands, and work pauses between pieces', () => {
  for (const at of [0, 256 * 1024 - 3, 256 * 1024, 700_000]) {
    const text = `${'\n'.repeat(at)}needle\n${'x\n'.repeat(300_000)}`;
    expect(found('NEEDLE', text)).toEqual([{ line: at + 1, text: 'needle' }]);
    expect([...linesIn(text, containing('needle'), 0)].filter((one) => one === null).length).toBeGreaterThan(1);
  }
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'B', 'c') })),
      fc.string({ unit: fc.constantFrom('A', 'b'), minLength: 1 }),
      (lines, words) => {
        const expected = lines.flatMap((text, at) => (text.toLowerCase().includes(words.toLowerCase()) ? [{ line: at + 1, text }] : []));
        expect(found(words, lines.join('\n'))).toEqual(expected);
      },
    ),
  );
});

test('C1.05 lines around a match are found once each and in order', () => {
  const shown = linesOf('x', 'a\nb\nx\nc\nx\nd\ne\nf\nx', 1).map(({ line, text, isMatch }) => `${line}${isMatch ? ':' : '-'}${text}`);
  expect(shown).toEqual(['2-b', '3:x', '4-c', '5:x', '6-d', '8-f', '9:x']);
});

test('G3.04 C1.05 a search shows its first two hundred lines by file and counts the others', async () => {
  const many = await searchFiles(texts('a\n'.repeat(150), 'a\n'.repeat(150), 'a'), searching('a'));
  expect([many.count, many.isWhole, shownCount(many)]).toEqual([301, true, 200]);
  expect(writtenLines(many.files).slice(149, 153)).toEqual(['149: a', '150: a', '1.txt', '1: a']);
  const same = await searchFiles(texts('a\n'.repeat(150), 'a\n'.repeat(150), 'a'), searching('^a$', { isExpression: true }));
  expect(same).toEqual(many);
});

test('G3.04 a search ends by its time, or with its step, and says which', async () => {
  let clock = 0;
  const slow = () => {
    clock += maxSearchMs * 0.6;
    return clock;
  };
  const ended = await searchFiles(texts('a', 'b\n'.repeat(600_000), 'a'), searching('a', { elapsed: slow }));
  expect(ended).toEqual({ files: [{ path: '0.txt', lines: [{ line: 1, text: 'a', isMatch: true }] }], count: 1, isWhole: false });
  const stopped = searchFiles(texts('b\n'.repeat(600_000)), searching('a', { signal: AbortSignal.abort(new Error('stopped')) }));
  await expect(stopped).rejects.toThrow('stopped');
  const lost = await searchFiles(texts('a'), searching('a', { isExpression: true, thread: { ...thread, search: async () => null } }));
  expect(lost).toEqual({ files: [], count: 0, isWhole: false });
});

test('C1.05 an expression that would take a backtracking engine for ever ends at once, and a wrong one is named', async () => {
  const result = await searchFiles(texts(`${'a'.repeat(40_000)}b`), searching('^(a+)+$', { isExpression: true }));
  expect(result).toEqual({ files: [], count: 0, isWhole: true });
  expect(faultOf('(?=a)')).toContain('(?=');
  expect(faultOf('a{1000}{1000}')).not.toBeNull();
  expect(faultOf('(')).not.toBeNull();
  expect(faultOf('a+b')).toBeNull();
});

test('C1.04 patterns of paths match as globs do', () => {
  const paths = ['a.ts', 'src/b.ts', 'src/deep/c.js', '.github/ci.yml', 'src/[id].ts'];
  const matched = (pattern: string) => matchPaths({ pattern, paths });
  expect(matched('*.ts')).toEqual(['a.ts', 'src/b.ts', 'src/[id].ts']);
  expect(matched('src/**')).toEqual(['src/b.ts', 'src/deep/c.js', 'src/[id].ts']);
  expect(matched('**/*.{js,yml}')).toEqual(['src/deep/c.js', '.github/ci.yml']);
  expect(matched('src/*.ts')).toEqual(['src/b.ts', 'src/[id].ts']);
  expect(matched('[')).toEqual([]);
});

function shownCount({ files }: FoundLines): number {
  return files.reduce((sum, { lines }) => sum + lines.length, 0);
}
