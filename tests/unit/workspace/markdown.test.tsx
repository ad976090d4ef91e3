import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Markdown } from '../../../src/app/workspace/markdown/markdown.tsx';

const headings = (text: string, below?: number) =>
  [...renderToStaticMarkup(<Markdown text={text} below={below} />).matchAll(/<h(\d) data-depth="(\d)">([^<]*)/g)].map(
    ([, level, depth, words]) => `${level} ${words} ${depth}`,
  );

test('D5.04 headings of an answer follow on the heading that it stands below, and keep the look that their author chose', () => {
  expect(headings('# Plan\n\ntext\n\n## Risks\n\n## Steps\n\n# Result')).toEqual(['3 Plan 1', '4 Risks 2', '4 Steps 2', '3 Result 1']);
  expect(headings('# Plan', 1)).toEqual(['2 Plan 1']);
});

test('D5.04 an answer that skips levels, begins with a deep one or goes very deep has headings without a gap', () => {
  expect(headings('### Note\n\n# Plan\n\n#### Detail\n\n## Part\n\n### Detail', 1)).toEqual([
    '2 Note 3',
    '2 Plan 1',
    '3 Detail 4',
    '3 Part 2',
    '4 Detail 3',
  ]);
  expect(headings('# a\n## b\n### c\n#### d\n##### e', 3).map((heading) => heading[0])).toEqual(['4', '5', '6', '6', '6']);
  expect(headings('> ## Quote\n\n- ### Item')).toEqual(['3 Quote 2', '4 Item 3']);
});
