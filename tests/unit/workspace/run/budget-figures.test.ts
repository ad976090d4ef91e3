import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Budget, budgetUpdate } from '../../../../contract/budget.ts';
import { draftOf, limitFigures, readDraft } from '../../../../src/app/workspace/budgets/budget-figures.ts';

const budget: Budget = {
  ...{ id: '019a2f10-0000-7000-8000-000000000014', scope: 'project', span: 'day', atLimit: 'ask', warnAt: 80 },
  updatedAt: '2026-01-15T09:00:00.000Z',
  ...{ money: { currency: 'USD', micros: 1_000_000 }, tokens: 1_000 },
  used: { micros: 900_000, tokens: 300, calls: 3, activeMs: 0, reservedMicros: 100_000, reservedTokens: 100 },
  extra: { micros: 0, tokens: 1_000, calls: 0, activeMs: 0 },
};

test('G4.12 a limit shows the spent and the reserved amount, the added amount, and when the budget is nearly used', () => {
  const [money, tokens] = limitFigures(budget, 'en');
  expect(money).toMatchObject({
    name: 'money',
    used: 0.8,
    reserved: 0.1,
    state: 'near',
    usedText: '$0.80',
    limitText: '$1.00',
    reservedText: '$0.10',
  });
  expect(tokens).toMatchObject({ name: 'tokens', used: 0.1, state: 'calm', usedText: '200', limitText: '2,000' });
  expect(limitFigures({ ...budget, used: { ...budget.used, micros: 1_000_000 } as never }, 'en')[0]?.state).toBe('full');
});

test('G4.11 a typed budget is valid or shows an error, and is never a value that the server would refuse', () => {
  const empty = { money: '', currency: 'USD', tokens: '', calls: '', minutes: '', warnAt: '80', atLimit: 'ask' } as const;
  expect(readDraft({ ...empty, money: '2,50', minutes: '1.5' }).limits).toEqual({
    money: { currency: 'USD', micros: 2_500_000 },
    activeMs: 90_000,
  });
  expect(readDraft({ ...empty, tokens: '1 000 000' }).limits).toEqual({ tokens: 1_000_000 });
  for (const text of ['0', '-5', 'many', '1e9', '0x10', '.'])
    expect(readDraft({ ...empty, calls: text }).wrong).toEqual({ calls: 'wrong' });
  expect(readDraft({ ...empty, money: '1000000000000000000' }).wrong).toEqual({ money: 'tooLarge' });
  const typed = fc.oneof(fc.constantFrom('', '0', '7', '-1', '1e18', '999999999999999999', '0,01', ' 12 '), fc.string({ maxLength: 12 }));
  fc.assert(
    fc.property(fc.record({ money: typed, tokens: typed, calls: typed, minutes: typed }), (fields) => {
      const { limits, wrong } = readDraft({ ...empty, ...fields });
      if (Object.keys(wrong).length > 0 || Object.keys(limits).length === 0) return;
      expect(budgetUpdate.safeParse({ scope: 'user', span: 'day', ...limits }).success).toBe(true);
    }),
  );
});

test('G4.12 a budget is edited as it is', () => {
  const read = readDraft(draftOf({ ...budget, warnAt: 55 }, ['USD']));
  expect(read).toEqual({ limits: { money: budget.money, tokens: budget.tokens }, warnAt: 55, wrong: {} });
});

test('G4.15 a budget warns at a share that its owner sets, before the limit', () => {
  const at = (micros: number, warnAt: number) => limitFigures({ ...budget, warnAt, used: { ...budget.used, micros } as never }, 'en')[0];
  expect([at(499_999, 50), at(500_000, 50), at(999_999, 100), at(1_000_000, 100)].map((one) => [one?.state, one?.percent])).toEqual([
    ['calm', 49],
    ['near', 50],
    ['calm', 99],
    ['full', 100],
  ]);
  const draft = draftOf(budget, ['USD']);
  for (const warnAt of ['0', '101', '-5', '7.5', 'many', '1e1'])
    expect([warnAt, readDraft({ ...draft, warnAt }).wrong]).toEqual([warnAt, { warnAt: 'notPercent' }]);
  expect([readDraft({ ...draft, warnAt: ' 90 ' }).warnAt, readDraft({ ...draft, warnAt: '' }).warnAt]).toEqual([90, 80]);
});
