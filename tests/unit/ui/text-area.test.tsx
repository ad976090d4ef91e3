import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { TextArea } from '../../../src/ui/controls/fields/text-area.tsx';

const rowsOf = (lines: number, grows: boolean) => {
  const html = renderToStaticMarkup(
    <TextArea label="Result" rows={5} grows={grows} value={Array(lines).fill('A line').join('\n')} onChange={() => {}} />,
  );
  return Number(/rows="(\d+)"/.exec(html)?.[1]);
};

test('D6.03 a field that grows has a row for each line of its text, up to a limit, and never fewer than at first', () => {
  expect([1, 12, 60].map((lines) => rowsOf(lines, true))).toEqual([5, 12, 24]);
  expect(rowsOf(60, false)).toBe(5);
});
