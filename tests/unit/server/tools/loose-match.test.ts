import { expect, test } from 'vitest';
import { findLoosely } from '../../../../server/modules/tools/files/loose-match.ts';

test.for<[string, string, string, NonNullable<ReturnType<typeof findLoosely>>]>([
  [
    'tabs for spaces',
    'f() {\n\tif (x) {\n\t\treturn 1;\n\t}\n}\n',
    '        return 1;',
    { differs: ['whiteSpace'], lines: [3], file: ['→→return·1;'], given: ['········return·1;'] },
  ],
  [
    'spaces at the end of a line',
    'a = 1  \nb = 2\n',
    'a = 1\nb = 2',
    { differs: ['whiteSpace'], lines: [1], file: ['a·=·1··'], given: ['a·=·1'] },
  ],
  ['a line of spaces', 'a\n  \nb\n', 'a\n\nb', { differs: ['whiteSpace'], lines: [1], file: ['··'], given: [''] }],
  [
    'a space that does not break',
    'price: 3\u00a0EUR\n',
    'price: 3 EUR',
    { differs: ['whiteSpace'], lines: [1], file: ['price:·3<U+00A0>EUR'], given: ['price:·3·EUR'] },
  ],
  [
    'other breaks of lines',
    'call(a,\n     b)\n',
    'call(a, b)',
    { differs: ['whiteSpace'], lines: [1], file: ['call(a,', '·····b)'], given: ['call(a,·b)'] },
  ],
  ['curly quotes', 'say “hi”\n', 'say "hi"', { differs: ['quotes'], lines: [1], file: ['say·“<U+201C>hi”<U+201D>'], given: ['say·"hi"'] }],
  ['a dash', 'one – two\n', 'one - two', { differs: ['quotes'], lines: [1], file: ['one·–<U+2013>·two'], given: ['one·-·two'] }],
  [
    'marks for letters',
    'cafe\u0301\n',
    'café',
    { differs: ['normalForm'], lines: [1], file: ['cafe\u0301<U+0301>'], given: ['café<U+00E9>'] },
  ],
  [
    'two of them',
    'x =\t“é”\n',
    'x = "e\u0301"',
    {
      differs: ['whiteSpace', 'quotes', 'normalForm'],
      lines: [1],
      file: ['x·=→“<U+201C>é<U+00E9>”<U+201D>'],
      given: ['x·=·"e\u0301<U+0301>"'],
    },
  ],
  [
    'entities',
    'if (a && b < c) {}\n',
    'if (a &amp;&amp; b &lt; c) {}',
    { differs: ['entities'], lines: [1], file: ['if·(a·&&·b·<·c)·{}'], given: ['if·(a·&amp;&amp;·b·&lt;·c)·{}'] },
  ],
  ['escapes', 'x\ny\n', 'x\\ny', { differs: ['escapes'], lines: [1], file: ['x', 'y'], given: ['x\\ny'] }],
  ['two places', '\ta;\n\ta;\n', '    a;', { differs: ['whiteSpace'], lines: [1, 2], file: ['→a;'], given: ['····a;'] }],
])('C1.01 a text that is there with %s is found with its line, and the difference is shown', ([, text, given, found]) => {
  expect(findLoosely(text, given)).toEqual(found);
});

test('C1.01 a text that is not there, white space alone and a file that is too long are not found', () => {
  expect(findLoosely('return 1;\n', 'return 2;')).toBeNull();
  expect(findLoosely('a\n', ' \n ')).toBeNull();
  expect(findLoosely(`a b${'x'.repeat(1024 * 1024)}`, 'a  b')).toBeNull();
});

test('G3.07 a text that ends in a character of two units is compared whole', () => {
  expect(findLoosely('x  = \u{1f600}\n', 'x = \u{1f600}')?.differs).toEqual(['whiteSpace']);
});
