import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Budget, budgetUpdate } from '../../../contract/budget.ts';
import { draftOf, limitFigures, readDraft } from '../../../src/app/workspace/budgets/budget-figures.ts';

const budget: Budget = {
  ...{ id: '019a2f10-0000-7000-8000-000000000014', scope: 'project', span: 'day', atLimit: 'ask', warnAt: 80 },
  updatedAt: '2026-01-15T09:00:00.000Z',
  ...{ money: { currency: 'USD', micros: 1_000_000 }, tokens: 1_000 },
  used: { micros: 900_000, tokens: 300, calls: 3, activeMs: 0, reservedMicros: 100_000, reservedTokens: 100 },
  extra: { micros: 0, tokens: 1_000, calls: 0, activeMs: 0 },
};

test('G4.12 a limit shows what is spent and what is reserved, with what was added, and when it is nearly used', () => {
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

test('G4.11 what is typed is a budget or is said to be wrong: never one that the server would refuse', () => {
  const empty = { money: '', currency: 'USD', tokens: '', calls: '', minutes: '', atLimit: 'ask' } as const;
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
  expect(readDraft(draftOf(budget, ['USD'])).limits).toEqual({ money: budget.money, tokens: budget.tokens });
});
