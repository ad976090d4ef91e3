import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { alignLineEnds, keepMixedLineEnds } from '../../../../server/modules/files/align-line-ends.ts';
import { editText } from '../../../../server/modules/tools/files/edit-text.ts';
import { nearestLines } from '../../../../server/modules/tools/files/nearest-lines.ts';
import { numberedLines } from '../../../../server/modules/tools/files/numbered-lines.ts';
import { changedLines } from '../../../../server/modules/tools/files/unseen-version.ts';

const megabyte = 1024 * 1024;
const edit = (text: string, old: string, now: string, replaceAll = false) => editText(text, { old, now, replaceAll }, megabyte);
const textOf = (text: string, old: string, now: string, replaceAll = false) => {
  const outcome = edit(text, old, now, replaceAll);
  if (outcome.kind !== 'edited') throw new Error(outcome.kind);
  return outcome.text;
};

describe('one edit', () => {
  test('C1.01 an edit replaces a text that occurs once, and returns the line', () => {
    expect(edit('a\nb\nc\n', 'b', 'B')).toEqual({ kind: 'edited', text: 'a\nB\nc\n', count: 1, lines: [2] });
    expect(edit('one two one', 'one', '1', true)).toEqual({ kind: 'edited', text: '1 two 1', count: 2, lines: [1, 1] });
  });

  test('C1.01 an edit of a text that occurs more than once is refused with the places of the text, also where they overlap', () => {
    expect(edit('x\ny\nx\n', 'x', 'z')).toEqual({ kind: 'ambiguous', count: 2, lines: [1, 3] });
    expect(edit('aaa', 'aa', 'b')).toEqual({ kind: 'ambiguous', count: 2, lines: [1, 1] });
    expect(textOf('aaa', 'aa', 'b', true)).toBe('ba');
  });

  test('C1.01 an edit is refused with the reason if its text is absent or the same, or if the file would grow too large', () => {
    expect(edit('a', 'b', 'c')).toEqual({ kind: 'absent' });
    expect(edit('a', '', 'c')).toEqual({ kind: 'absent' });
    expect(edit('a', 'x'.repeat(megabyte), 'c')).toEqual({ kind: 'absent' });
    expect(edit('a\r\nb', 'a\nb', 'a\r\nb')).toEqual({ kind: 'same' });
    expect(edit('a'.repeat(2_000), 'a', 'x'.repeat(1_000), true)).toEqual({ kind: 'tooLarge' });
    expect(edit('a'.repeat(20_000), 'a', 'b', true)).toEqual({ kind: 'tooLarge' });
  });

  test('C1.01 replacement patterns have no effect: the text is inserted as written', () => {
    expect(textOf('a.b', 'a.b', '$& $1 \\n')).toBe('$& $1 \\n');
  });
});

describe('line ends', () => {
  test('C1.02 a text with line feeds is found in a file with other or mixed line ends, and other lines of the file keep their bytes', () => {
    expect(textOf('a\r\nb\r\nc\r\n', 'a\nb', 'a\nB')).toBe('a\r\nB\r\nc\r\n');
    expect(textOf('a\r\nb\nc\r\nd\n', 'b\nc', 'b\nx\nc')).toBe('a\r\nb\nx\nc\r\nd\n');
    expect(textOf('a\nb\r\nc\nd\r\n', 'b\nc\n', '')).toBe('a\nd\r\n');
  });

  test('C1.02 new lines take the end of their neighbour, and a last line without an end stays without', () => {
    expect(textOf('a\r\nb', 'b', 'b\nc')).toBe('a\r\nb\r\nc');
    expect(textOf('a\nb\r\nc\n', 'b', 'b\nnew\nnew')).toBe('a\nb\r\nnew\r\nnew\r\nc\n');
    expect(textOf('a\r\nb\n', 'a', 'first\na')).toBe('first\r\na\r\nb\n');
    expect(textOf('a\r\n', 'a\n', 'a')).toBe('a');
  });

  test('C1.02 a change of line ends alone is no edit, and none is made in a file with line feeds', () => {
    expect(textOf('a\nb\n', 'a', 'a\r\nx')).toBe('a\nx\nb\n');
  });

  test('C1.02 a whole new text keeps the ends of the lines that stay', () => {
    expect(alignLineEnds('a\r\nb\nc\r\n', 'a\nnew\nb\nC\n')).toBe('a\r\nnew\r\nb\nC\r\n');
    expect(alignLineEnds('', 'a\nb')).toBe('a\nb');
    expect(alignLineEnds('a\r\nb', 'a\nb\nc')).toBe('a\r\nb\r\nc');
    expect(keepMixedLineEnds('a\r\nb\n', 'a\nb\nc\n')).toBe('a\r\nb\nc\n');
    expect(keepMixedLineEnds('a\r\nb\r\n', 'a\nb\n')).toBe('a\nb\n');
    expect(keepMixedLineEnds(null, 'a\r\nb\n')).toBe('a\nb\n');
  });

  test('C1.02 very different and very long texts are aligned in bounded time', () => {
    const lines = (word: string, count: number) => Array.from({ length: count }, (_, at) => `${word}${at}`).join('\r\n');
    const after = lines('b', 30_000).replaceAll('\r\n', '\n');
    expect(alignLineEnds(lines('a', 30_000), after)).toBe(lines('b', 30_000));
  });
});

const piece = fc.constantFrom('a', 'b', 'if (x) {', '}', '', '  y', 'é☃', '\ud83d\ude00');
const end = fc.constantFrom('\n', '\r\n');
const fileText = fc
  .array(fc.tuple(piece, end), { maxLength: 30 })
  .chain((lines) => piece.map((last) => lines.map(([text, of]) => text + of).join('') + last));

describe('any sequence of edits', () => {
  const step = fc.record({
    from: fc.nat(),
    length: fc.integer({ min: 1, max: 25 }),
    by: fc.array(piece, { maxLength: 4 }).map((lines) => lines.join('\n')),
    replaceAll: fc.boolean(),
  });

  test('C1.03 1,000 sequences of edits give what the same replacements of plain text give, and lines outside of them keep their bytes', () => {
    fc.assert(
      fc.property(fileText, fc.array(step, { minLength: 1, maxLength: 8 }), (first, steps) => {
        let text = first;
        for (const { from, length, by, replaceAll } of steps) {
          const plain = text.replaceAll('\r\n', '\n');
          const at = from % (plain.length + 1);
          const old = plain.slice(at, at + length);
          const outcome = edit(text, old, by, replaceAll);
          if (old === '') expect(outcome).toEqual({ kind: 'absent' });
          if (outcome.kind !== 'edited') continue;
          const expected = replaceAll
            ? plain.split(old).join(by)
            : plain.slice(0, plain.indexOf(old)) + by + plain.slice(plain.indexOf(old) + old.length);
          expect(outcome.text.replaceAll('\r\n', '\n')).toBe(expected);
          if (!replaceAll) expectOthersKept({ text, plain, now: outcome.text, place: plain.indexOf(old), old, by });
          text = outcome.text;
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('C1.03 a file with one kind of line ends keeps that kind', () => {
    fc.assert(
      fc.property(fileText, fc.constantFrom('\n', '\r\n'), fc.nat(), fc.array(piece, { maxLength: 4 }), (given, kind, from, by) => {
        const text = given.replaceAll('\r\n', '\n').replaceAll('\n', kind);
        const plain = text.replaceAll('\r\n', '\n');
        if (!plain.includes('\n')) return;
        const outcome = edit(text, plain.slice(from % plain.length, (from % plain.length) + 5), by.join('\n'));
        if (outcome.kind !== 'edited') return;
        expect(outcome.text).toBe(outcome.text.replaceAll('\r\n', '\n').replaceAll('\n', kind));
      }),
      { numRuns: 1_000 },
    );
  });
});

type Edited = { text: string; plain: string; now: string; place: number; old: string; by: string };

/** The whole lines before and after the edited ones are there byte for byte. */
function expectOthersKept({ text, plain, now, place, old }: Edited): void {
  const before = plain.slice(0, place).split('\n').length - 1;
  const after = plain.slice(place + old.length).split('\n').length - 1;
  const lines = text.split(/(?<=\n)/);
  const total = plain.split('\n').length;
  expect(now.startsWith(lines.slice(0, before).join(''))).toBe(true);
  expect(now.endsWith(lines.slice(total - after).join(''))).toBe(true);
}

describe('what a model is told', () => {
  test('C1.01 the nearest lines have their numbers, and spaces do not count', () => {
    const text = 'import a;\n\nfunction total(prices) {\n  return sum(prices);\n}\n';
    expect(nearestLines(text, 'return sum(price);')).toEqual([{ line: 4, text: 'return sum(prices);' }]);
    expect(nearestLines(text, '\tfunction total(prices) {\n')).toEqual([{ line: 3, text: 'function total(prices) {' }]);
    expect(nearestLines(text, 'nothing like it here')).toEqual([]);
    expect(nearestLines(text, '\n\n')).toEqual([]);
    expect(nearestLines('x\n'.repeat(100_000), 'y'.repeat(megabyte))).toEqual([]);
  });

  test('C1.06 the model is told the lines that another version changed', () => {
    expect(changedLines('a\nb\nc', 'a\nB\nc\nd')).toBe('2, 4');
    expect(changedLines('a\nb\nc', 'a\nc')).toBe('1');
    expect(changedLines('a', Array.from({ length: 3_000 }, (_, at) => at).join('\n'))).toBe('1-3000');
  });

  test('C1.04 a file is read by lines with their numbers, up to a limit of characters', () => {
    expect(numberedLines('a\r\nb\n\nc\n', 2, 2)).toEqual({ part: '2\tb\n3\t', last: 3, count: 4, isCut: false });
    expect(numberedLines('', 1)).toEqual({ part: '1\t', last: 1, count: 1, isCut: false });
    expect(numberedLines('a\n', 2)).toEqual({ part: null, last: 0, count: 1, isCut: false });
    const long = numberedLines(`${'x'.repeat(50)}\n`.repeat(1_000), 1);
    expect(long.part?.length).toBeLessThanOrEqual(24_000);
    expect(long.count).toBe(1_000);
    expect(numberedLines(`${'x'.repeat(50)}\n`.repeat(1_000), long.last + 1).part).toMatch(new RegExp(`^${long.last + 1}\t`));
    expect(numberedLines('x'.repeat(megabyte), 1)).toMatchObject({ last: 1, isCut: true });
  });
});
