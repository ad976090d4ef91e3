import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortOutcome, shortRequest } from '../../../src/app/workspace/history/short-message.ts';

test('W2.21 a run’s messages are kept to 100 characters in the list, for every kind', () => {
  const long = 'Собери отчёт по заказам за прошлый месяц и отправь его всем, кто его ждёт, до конца рабочего дня в пятницу';
  // A word that ends at the cut leaves no space before the ellipsis.
  expect(shortRequest(long)).toMatch(/^Собери отчёт.{85,87}…$/);
  expect(shortRequest('Короткая задача')).toBe('Короткая задача');
  expect(shortOutcome('', `# Итог\n\n${long}`)).toBe(shortRequest(long));
  expect(shortOutcome('Готово: отчёт', 'x')).toBe('Готово: отчёт');
  fc.assert(
    fc.property(fc.string({ maxLength: 400 }), fc.string({ maxLength: 400 }), (request, result) => {
      expect(shortRequest(request).length).toBeLessThanOrEqual(100);
      expect(shortOutcome(request, result).length).toBeLessThanOrEqual(100);
    }),
  );
});
