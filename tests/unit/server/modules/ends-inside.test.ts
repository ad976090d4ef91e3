import { expect, test } from 'vitest';
import { endsInside } from '../../../../server/modules/files/ends-inside.ts';
import { fileBlocksOf } from '../../../../server/modules/files/file-blocks.ts';

const cut = 'export function total(items) {\n  return items.reduce((sum, it\n';
const whole = 'export function total(items) {\n  return items.reduce((sum, it) => sum + it.price, 0);\n}\n';

test('M2.40 a file whose fence is closed in the middle of its code is refused as cut off', () => {
  const answer = (code: string) => `# Answer\n\n\`\`\`ts path=src/price.ts\n${code}\`\`\`\n`;
  expect(fileBlocksOf(answer(cut))).toEqual({ files: [], refused: [{ path: 'src/price.ts', reason: 'unclosed' }] });
  expect(fileBlocksOf(answer(whole)).files).toMatchObject([{ path: 'src/price.ts', content: whole }]);
});

test.each([
  ['a.ts', cut, true],
  ['a.json', '{\n  "a": [1,\n    2', true],
  ['a.css', 'a {\n  color: red;', true],
  ['a.ts', whole, false],
  ['a.ts', "const open = ['(', '{'];\nconst mark = `(`;\n// (\n/* { */\n", false],
  ['a.ts', 'const quote = /["(]/;\nexport default quote;\n', false],
  ['a.py', 'def total(items):\n    return sum(it.price for it in items', false],
  ['a.md', '- (a\n  - {b', false],
  ['a.ts', '', false],
  ['a.json', '{}', false],
  ['a.js', 'call(\n  1,\n  2)\n', false],
  ['a.js', '  indented();', false],
])('M2.40 of %s, %j ends inside: %s', (path, content, expected) => {
  expect(endsInside(path, content)).toBe(expected);
});
