import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FoundLine, linesWith } from '../../../../server/modules/tools/lines-with.ts';
import { maxSearchMs, searchTexts } from '../../../../server/modules/tools/search-texts.ts';

const found = (words: string, text: string): FoundLine[] => [...linesWith(words, text)].filter((one) => one !== null);

test('G3.04 the lines that contain a text are found in any case, once each, with their numbers', () => {
  expect(found('colour', 'a\nColour and COLOUR\n\nno\nthe colour')).toEqual([
    { line: 2, text: 'Colour and COLOUR' },
    { line: 5, text: 'the colour' },
  ]);
  expect(found('ЁЖ', 'ёж\r\n')).toEqual([{ line: 1, text: 'ёж\r' }]);
  expect(found('\u039f\u03a3', '\u0130\u0130 \u03bf\u03c2 \u03bf\u03c3')).toEqual([
    { line: 1, text: '\u0130\u0130 \u03bf\u03c2 \u03bf\u03c3' },
  ]);
  expect(found('a.*b', 'acb\na.*b')).toEqual([{ line: 2, text: 'a.*b' }]);
});

test('G3.04 a text is found wherever it stands, also over the end of a piece, and work pauses between pieces', () => {
  for (const at of [0, 256 * 1024 - 3, 256 * 1024, 700_000]) {
    const text = `${'\n'.repeat(at)}needle\n${'x\n'.repeat(300_000)}`;
    expect(found('NEEDLE', text)).toEqual([{ line: at + 1, text: 'needle' }]);
    expect([...linesWith('needle', text)].filter((one) => one === null).length).toBeGreaterThan(1);
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

async function* texts(...contents: string[]) {
  for (const [at, text] of contents.entries()) yield { path: `${at}.txt`, text };
}

test('G3.04 a search ends at its first hundred lines, or by its time, and says which', async () => {
  const { signal } = new AbortController();
  const many = await searchTexts(texts('a\n'.repeat(60), 'a\n'.repeat(60), 'a'), { words: 'a', signal, elapsed: () => 0 });
  expect([many.found.length, many.found.at(-1), many.isWhole]).toEqual([100, '1.txt:40: a', true]);
  let clock = 0;
  const slow = () => {
    clock += maxSearchMs * 0.6;
    return clock;
  };
  const ended = await searchTexts(texts('a', 'b'.repeat(600_000), 'a'), { words: 'a', signal, elapsed: slow });
  expect(ended).toEqual({ found: ['0.txt:1: a'], isWhole: false });
  const stopped = searchTexts(texts('b'.repeat(600_000)), {
    words: 'a',
    signal: AbortSignal.abort(new Error('stopped')),
    elapsed: () => 0,
  });
  await expect(stopped).rejects.toThrow('stopped');
});
