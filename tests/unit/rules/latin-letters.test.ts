import { expect, test } from 'vitest';
import { latinName } from '../../../rules/text/latin-letters.ts';

test('D9.06 K4.14 a title in Cyrillic letters makes a name for an address', () => {
  expect(latinName('Щедрый отчёт: Юля № 5!')).toBe('schedryy-otchet-yulya-5');
  expect(latinName('Release notes')).toBe('release-notes');
  expect(latinName('— 漢字 —')).toBe('');
});
