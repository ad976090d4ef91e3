import { expect, test } from 'vitest';
import { email, isEmail } from '../../../contract/email.ts';

test.each([
  ['  Ann.B+x@Example.com ', 'ann.b+x@example.com'],
  ['ivan@почта.рф', 'ivan@xn--80a1acny.xn--p1ai'],
  ['Ivan@ПОЧТА.РФ', 'ivan@xn--80a1acny.xn--p1ai'],
  ['ivan@xn--80a1acny.xn--p1ai', 'ivan@xn--80a1acny.xn--p1ai'],
  ['ivan@XN--80A1ACNY.XN--P1AI', 'ivan@xn--80a1acny.xn--p1ai'],
  ['Иван@почта.рф', 'иван@xn--80a1acny.xn--p1ai'],
  ['андрей@пример.рф'.normalize('NFD'), 'андрей@xn--e1afmkfd.xn--p1ai'],
  ['info@mail.xn--p1ai', 'info@mail.xn--p1ai'],
  ['kasse@bäckerei.de', 'kasse@xn--bckerei-5wa.de'],
])('G8.34 %s is the account %s', (written, canonical) => {
  expect(email.parse(written)).toBe(canonical);
});

test.each([
  ...['ivan', 'ivan@', '@почта.рф', 'ivan@почта', 'ivan@почта.рф/x', 'ivan@почта.рф:25', 'ivan@xn--.рф', 'a b@почта.рф', 'ivan@почта..рф'],
  ...[
    'ivan@почта.рф\nbcc: x@example.com',
    '.ivan@почта.рф',
    'i..n@почта.рф',
    'ivan@@почта.рф',
    'ivan@192.168.0.1',
    `ivan@${'я'.repeat(64)}.рф`,
  ],
  ...[`${'a'.repeat(250)}@example.com`, 'ivan<x>@почта.рф', 'ivan@почта_рф.рф', 'ivan\u202e@почта.рф'],
])('G8.34 %j is no address', (written) => {
  expect(isEmail(written)).toBe(false);
});
