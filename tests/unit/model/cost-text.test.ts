import { expect, test } from 'vitest';
import { costText, moneyText } from '../../../src/model/run/cost-text.ts';

const words = {
  unknown: 'unknown',
  andUnknown: (amounts: string) => `${amounts} + unknown`,
  estimated: (amounts: string) => `about ${amounts}`,
};
const plain = (text: string) => text.replaceAll(/\s/g, ' ');
const text = (cost: Parameters<typeof costText>[0], language = 'en') => plain(costText(cost, language, words));

test('G4.02 an amount is written in its own currency and in the words of the language, with more places for a small one', () => {
  const usd = (micros: number, language = 'en') => plain(moneyText({ currency: 'USD', micros }, language));
  expect([usd(12_400_000), usd(12_340), usd(30), usd(0)]).toEqual(['$12.40', '$0.0123', '$0.00003', '$0.00']);
  expect(plain(moneyText({ currency: 'RUB', micros: 1_234_500_000 }, 'ru'))).toBe('1 234,50 ₽');
});

test('G4.02 currencies stand beside each other; nothing paid is 0; what is not known or estimated is said', () => {
  const amounts = [
    { currency: 'RUB', micros: 2_700_000 },
    { currency: 'USD', micros: 1_500_000 },
  ];
  expect(text({ amounts })).toBe('₽2.70 + $1.50');
  expect(text({ amounts: [] })).toBe('0');
  expect(text({ amounts: [], isUnknown: true })).toBe('unknown');
  expect(text({ amounts: amounts.slice(1), isUnknown: true, isEstimated: true })).toBe('about $1.50 + unknown');
});
