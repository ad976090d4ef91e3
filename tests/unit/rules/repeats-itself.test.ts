import fc from 'fast-check';
import { expect, test } from 'vitest';
import { repeatsItself } from '../../../rules/text/repeats-itself.ts';

const line = 'The total of the cart is wrong, because the tax is added twice. ';

test('M2.25 a text that ends in one piece again and again repeats itself', () => {
  expect(repeatsItself([`# Answer\n\nOnce. ${line.repeat(12)}`])).toBe(true);
  expect(repeatsItself([`Once. ${line.repeat(12)}The tot`])).toBe(true);
  expect(repeatsItself([`x${'!'.repeat(700)}`])).toBe(true);
  expect(repeatsItself([line.repeat(3), line.repeat(4), line.repeat(4)])).toBe(true);
});

test('M2.25 a last part that stands before it already is a repetition', () => {
  expect(repeatsItself([line, line])).toBe(true);
  const long = Array.from({ length: 12 }, (_, at) => `Line ${at} says something of its own.`).join('\n');
  expect(repeatsItself([`${long}\nMore.`, 'Between.', long])).toBe(true);
});

test('M2.25 code, tables and short pieces that are alike are no repetition', () => {
  const rows = Array.from({ length: 200 }, (_, at) => `| ${at} | ${at * 7} | yes |`).join('\n');
  expect(repeatsItself([rows])).toBe(false);
  expect(repeatsItself(['ha ', 'ha ', 'ha '])).toBe(false);
  expect(repeatsItself([`${line.repeat(3)}An end.`])).toBe(false);
  expect(repeatsItself([''])).toBe(false);
});

test('M2.25 each repeated piece of up to a thousand characters is found, behind any text', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 2_000 }), fc.string({ minLength: 1, maxLength: 1_000 }), fc.nat(), (before, piece, cut) => {
      const times = Math.max(5, Math.ceil(600 / piece.length) + 1);
      const repeated = piece.repeat(times);
      return repeatsItself([before + repeated.slice(0, repeated.length - (cut % piece.length))]);
    }),
    { numRuns: 200 },
  );
});
