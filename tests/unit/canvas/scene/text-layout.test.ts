import { expect, test } from 'vitest';
import { clusters, isColoured } from '../../../../src/canvas/scene/cards/clusters.ts';
import { TextLayout, type TextLine } from '../../../../src/canvas/scene/text/text-layout.ts';
import { textStyles } from '../../../../src/canvas/scene/text/text-style.ts';

/** At 13 px every letter is 10 px wide, a thin "1" 6 px; other sizes are in proportion. */
const layout = () =>
  new TextLayout((style, text) =>
    Array.from(text).reduce((width, letter) => width + ((letter === '1' ? 6 : 10) * textStyles[style].size) / 13, 0),
  );
const read = (line: TextLine | undefined) => line?.parts.join('');

test('W9.06 a text that fits is one unchanged line', () => {
  const lines = layout().lines('line', 'Тимлид', 60, 2);
  expect(lines.map(read)).toEqual(['Тимлид']);
  expect(lines[0]?.starts).toEqual([0, 10, 20, 30, 40, 50]);
  expect(lines[0]?.width).toBe(60);
});

test('W9.06 lines break between words, and the last one is cut with an ellipsis', () => {
  const lines = layout().lines('line', 'Экраны формы и доступность с клавиатуры', 130, 2);
  expect(lines.map(read)).toEqual(['Экраны формы', 'и доступност…']);
  for (const line of lines) expect(line.width).toBeLessThanOrEqual(130);
});

test('W9.06 a word wider than its line is broken, and continues on the next line', () => {
  const lines = layout().lines('line', 'Неизвестный агент', 60, 2);
  expect(lines.map(read)).toEqual(['Неизв…', 'агент']);
});

test('W9.06 no space stands before the ellipsis', () => {
  expect(read(layout().line('line', 'abc defgh', 50))).toBe('abc…');
});

test('W9.06 all digits of a figure have the same width', () => {
  const [line] = layout().lines('figure', '1:21', 200, 1);
  const digit = (10 * 12) / 13;
  expect(line?.width).toBeCloseTo(4 * digit);
  expect(line?.starts.map((start) => start / digit)).toEqual([0.2, 1, 2, 3.2].map((start) => expect.closeTo(start)));
});

test('W9.06 letters that join are kept together, and emoji are one letter', () => {
  expect(clusters('Код 2')).toEqual(['К', 'о', 'д', ' ', '2']);
  expect(clusters('мой مرحبا 👩‍💻')).toEqual(['м', 'о', 'й', ' ', 'مرحبا', ' ', '👩‍💻']);
  expect(isColoured('👩‍💻')).toBe(true);
  expect(isColoured('©')).toBe(false);
});

test('W9.06 a small title is measured with its own size and letter spacing', () => {
  const { size, tracking } = textStyles.titleSmall;
  const letter = (10 * size) / 13 + tracking;
  const line = layout().line('titleSmall', 'Тимлид');
  expect(line.starts.map((start) => start / letter)).toEqual([0, 1, 2, 3, 4, 5].map((start) => expect.closeTo(start)));
  expect(line.width).toBeCloseTo(6 * letter);
});
