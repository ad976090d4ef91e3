import { describe, expect, test } from 'vitest';
import { findExpressions } from '../../../scripts/regexes/find-expressions.ts';
import { isTriviallyLinear } from '../../../scripts/regexes/is-trivially-linear.ts';
import { isKnownLinear, keyOf, projectExpressions } from '../../../scripts/regexes/project-expressions.ts';
import { whyNotLinear } from '../../../scripts/regexes/why-not-linear.ts';

describe('regular expressions', () => {
  test('every regular expression of the product and its scripts takes linear time', () => {
    const found = projectExpressions();
    expect(found.length).toBeGreaterThan(100);
    const unknown = found.filter((expression) => !isKnownLinear(expression));
    const named = unknown.map((expression) => `${expression.file}:${expression.line}: ${keyOf(expression)}`);
    expect(named, 'Run `npm run regexes`: it checks these, and adds those that are linear to scripts/regexes/verified.json').toEqual([]);
  });

  test('the search finds every regular expression that a file writes or builds from text', () => {
    const code = [
      'const a = /x+$/g;',
      'const b = new RegExp(given);',
      "const c = RegExp('y');",
      "text.match('z+');",
      'text.search(`z`);',
      'text.match(a);',
      "const d = 'a / b / c';",
    ].join('\n');
    const found = findExpressions('a.ts', code);
    expect(found.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5]);
    expect(found.map(keyOf)).toEqual(['/x+$/g', 'new RegExp(given)', "RegExp('y')", "text.match('z+')", 'text.search(`z`)']);
    expect(found.some((expression) => isKnownLinear(expression))).toBe(false);
  });

  test.each(['\\/+$', '^(a+)+$', '^a*b*a*$', 'a*b', '(?:a|b)+', '(a)\\1', 'a{2,}$', '\\s*\\n\\s*', '[[]+[a]*b', '(?=a*)b'])(
    '%s is not taken for linear by its form',
    (pattern) => expect(isTriviallyLinear(pattern, '')).toBe(false),
  );

  test.each(['^a*b', '\\s+', 'abc', '[*+{]', '\\p{L}', '(?:a|b)\\d+', '[[]+'])('%s is linear by its form', (pattern) => {
    expect(isTriviallyLinear(pattern, 'u')).toBe(true);
  });

  test('an expression that is anchored to each line is not taken for linear by its form', () => {
    expect(isTriviallyLinear('^\\s*b', 'm')).toBe(false);
  });

  test('recheck refuses a backtracking expression and accepts a linear expression', async () => {
    expect(await whyNotLinear('\\/+$', '')).toMatch(/polynomial/);
    expect(await whyNotLinear('^(a|a)*$', '')).toMatch(/exponential/);
    expect(await whyNotLinear('^(?:a|b)*$', '')).toBeNull();
  });
});
