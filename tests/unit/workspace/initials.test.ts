import { expect, test } from 'vitest';
import { initials } from '../../../src/ui/initials.ts';

test('W2.01 an account is marked by the first letters of its name, with any signs in it', () => {
  expect(initials('Анна Кольцова')).toBe('АК');
  expect(initials('<b>анна</b> 🚀 Длинная')).toBe('BА');
  expect(initials('anna@polka.ru')).toBe('AP');
  expect(initials('🚀 !')).toBe('');
});
