import { expect, test } from 'vitest';
import { plainLine, plainMarkdown } from '../../../rules/text/plain-markdown.ts';

test('D5.04 Markdown is shown as plain text where there is no other: without its marks, with its lists and code', () => {
  const markdown = [
    '## Ready',
    'The export is ready. **May it go out?** See [the file](https://example.org/a).',
    '---',
    '- *first*',
    '2. > second',
    '```ts',
    'const a_b = 2 ** 3;',
    '```',
    '| a | b |',
    '| --- | --- |',
  ].join('\n');
  expect(plainMarkdown(markdown)).toBe(
    ['Ready', 'The export is ready. May it go out? See the file.', '- first', '2. second', 'const a_b = 2 ** 3;', 'a b'].join('\n'),
  );
});

test('D5.04 names with underscores and signs of arithmetic stay', () => {
  expect(plainLine('order_id and _both_')).toBe('order_id and both');
  expect(plainLine('> 1) ## Title')).toBe('Title');
});
