import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxInteger, type TokenUsage } from '../../../../contract/common.ts';
import type { Cost } from '../../../../contract/cost.ts';
import { addCosts, costOf, dearestOf, maxPrice, noCost, type Price } from '../../../../rules/cost/cost-of.ts';

const micros = fc.integer({ min: 0, max: maxPrice });
const price: fc.Arbitrary<Price> = fc.record({
  currency: fc.constantFrom('USD', 'RUB'),
  ...{ input: micros, cachedInput: micros, output: micros, reasoning: micros },
});
const tokens = fc.integer({ min: 0, max: maxInteger });
const usage: fc.Arbitrary<TokenUsage> = fc.record({
  ...{
    promptTokens: tokens,
    completionTokens: tokens,
    totalTokens: tokens,
    cachedTokens: tokens,
    cacheWriteTokens: tokens,
    reasoningTokens: tokens,
  },
});
const rates = fc.record({ input: micros, cachedInput: micros, cacheWrite: micros, output: micros, reasoning: micros });
/** A price with steps, as lists tell them. */
const stepped: fc.Arbitrary<Price> = fc
  .tuple(
    price,
    rates,
    fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: maxInteger }), rates), { selector: ([above]) => above, maxLength: 3 }),
  )
  .map(([base, own, steps]) => ({
    ...{ ...base, ...own },
    steps: steps.sort(([one], [other]) => one - other).map(([above, step]) => ({ above, ...step })),
  }));
const gpt: Price = { currency: 'USD', input: 2_500_000, cachedInput: 1_250_000, output: 10_000_000, reasoning: 10_000_000 };

test('G4.01 a price is for a million tokens, in millionths of its currency; cached input and reasoning have their own', () => {
  const used = { promptTokens: 1_000_000, completionTokens: 1_000_000, totalTokens: 2_000_000 };
  expect(costOf(used, gpt)).toEqual({ amounts: [{ currency: 'USD', micros: 12_500_000 }] });
  expect(costOf({ ...used, cachedTokens: 600_000 }, gpt).amounts[0]?.micros).toBe(12_500_000 - 750_000);
  expect(costOf({ ...used, reasoningTokens: 500_000 }, { ...gpt, reasoning: 0 }).amounts[0]?.micros).toBe(7_500_000);
  expect(costOf({ promptTokens: 1, completionTokens: 0, totalTokens: 1 }, { ...gpt, input: 1 }).amounts[0]?.micros).toBe(1);
});

test('G4.01 what is written to the cache has a price of its own, and costs what input does where the price names none', () => {
  const sonnet: Price = {
    currency: 'USD',
    input: 2_000_000,
    cachedInput: 100_000,
    cacheWrite: 2_500_000,
    output: 10_000_000,
    reasoning: 10_000_000,
  };
  const used = { promptTokens: 10_000, completionTokens: 1_000, totalTokens: 11_000, cachedTokens: 6_000, cacheWriteTokens: 3_000 };
  expect(costOf(used, sonnet).amounts[0]?.micros).toBe(1_000 * 2 + 6_000 * 0.1 + 3_000 * 2.5 + 1_000 * 10);
  expect(costOf(used, { ...sonnet, cacheWrite: undefined }).amounts[0]?.micros).toBe(4_000 * 2 + 6_000 * 0.1 + 1_000 * 10);
  expect(costOf({ ...used, cacheWriteTokens: 50_000 }, sonnet).amounts[0]?.micros).toBe(6_000 * 0.1 + 4_000 * 2.5 + 1_000 * 10);
});

test('G4.01 beyond a step of the price the whole call is dearer, its cached input and its output too', () => {
  const long = { input: 4_000_000, cachedInput: 200_000, cacheWrite: 5_000_000, output: 15_000_000, reasoning: 15_000_000 };
  const sol: Price = { ...gpt, input: 2_000_000, cachedInput: 100_000, output: 10_000_000, steps: [{ above: 272_000, ...long }] };
  const call = (promptTokens: number) => ({
    promptTokens,
    completionTokens: 1_000,
    totalTokens: promptTokens + 1_000,
    cachedTokens: 200_000,
  });
  expect(costOf(call(272_000), sol).amounts[0]?.micros).toBe(72_000 * 2 + 200_000 * 0.1 + 10_000);
  expect(costOf(call(272_001), sol).amounts[0]?.micros).toBe(72_001 * 4 + 200_000 * 0.2 + 15_000);
  expect(dearestOf(sol, 272_000)).toMatchObject({ input: 2_000_000, output: 10_000_000 });
  expect(dearestOf(sol, 272_001)).toMatchObject({ input: 5_000_000, output: 15_000_000 });
});

test('G4.01 a cost is an exact whole number, and no usage costs more than without its cache where the cache is cheaper', () => {
  fc.assert(
    fc.property(usage, price, (used, one) => {
      const { amounts } = costOf(used, one);
      expect(amounts.length).toBeLessThanOrEqual(1);
      expect(amounts.every((amount) => Number.isSafeInteger(amount.micros) && amount.micros > 0 && amount.currency === one.currency)).toBe(
        true,
      );
      const cheap = { ...one, cachedInput: Math.min(one.cachedInput, one.input) };
      expect(microsOf(costOf(used, cheap))).toBeLessThanOrEqual(microsOf(costOf({ ...used, cachedTokens: 0 }, cheap)));
    }),
  );
});

test('G4.03 no usage costs more than the same number of plain tokens at the dearest price', () => {
  fc.assert(
    fc.property(usage, fc.oneof(price, stepped), tokens, (used, one, more) => {
      const { cachedTokens: _cached, cacheWriteTokens: _written, reasoningTokens: _reasoning, ...plain } = used;
      const promptTokens = Math.min(used.promptTokens + more, maxInteger);
      expect(microsOf(costOf(used, one))).toBeLessThanOrEqual(microsOf(costOf({ ...plain, promptTokens }, dearestOf(one, promptTokens))));
    }),
  );
});

test('G4.01 more tokens never cost less, and calls together cost what they cost one by one, but for rounding', () => {
  const few = fc.integer({ min: 0, max: 1_000_000 });
  const plain = fc.record({ promptTokens: few, completionTokens: few, totalTokens: few });
  fc.assert(
    fc.property(plain, plain, price, (left, right, one) => {
      const both = {
        promptTokens: left.promptTokens + right.promptTokens,
        completionTokens: left.completionTokens + right.completionTokens,
        totalTokens: 0,
      };
      const apart = microsOf(costOf(left, one)) + microsOf(costOf(right, one));
      expect(microsOf(costOf(both, one))).toBeLessThanOrEqual(apart);
      expect(microsOf(costOf(both, one))).toBeGreaterThanOrEqual(apart - 1);
      expect(microsOf(costOf(both, one))).toBeGreaterThanOrEqual(microsOf(costOf(left, one)));
    }),
  );
});

test('G4.01 without a price the cost is unknown, and stays so in every sum', () => {
  const unknown = costOf({ promptTokens: 5, completionTokens: 5, totalTokens: 10 }, null);
  expect(unknown).toEqual({ amounts: [], isUnknown: true });
  expect(addCosts([{ amounts: [{ currency: 'USD', micros: 7 }] }, unknown])).toEqual({
    amounts: [{ currency: 'USD', micros: 7 }],
    isUnknown: true,
  });
});

test('G4.01 sums keep the currencies apart, in any order of the parts', () => {
  const some: fc.Arbitrary<Cost> = fc.record({
    amounts: fc.uniqueArray(fc.record({ currency: fc.constantFrom('USD', 'RUB', 'EUR'), micros: fc.integer({ min: 1, max: 1_000 }) }), {
      selector: ({ currency }) => currency,
    }),
  });
  fc.assert(
    fc.property(fc.array(some), (parts) => {
      const sum = addCosts(parts);
      expect(addCosts([...parts].reverse())).toEqual(sum);
      expect(addCosts([addCosts(parts.slice(0, 2)), ...parts.slice(2)])).toEqual(sum);
      for (const currency of ['USD', 'RUB', 'EUR']) {
        const all = parts.flatMap(({ amounts }) => amounts).filter((one) => one.currency === currency);
        expect(sum.amounts.find((one) => one.currency === currency)?.micros ?? 0).toBe(all.reduce((total, one) => total + one.micros, 0));
      }
    }),
  );
  expect(addCosts([])).toEqual(noCost);
});

function microsOf({ amounts }: Cost): number {
  return amounts[0]?.micros ?? 0;
}
