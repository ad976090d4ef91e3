import { expect, test } from 'vitest';
import { clock, durationText } from '../../../src/ui/i18n/duration.ts';

test('D5.01 what took less than a second is shown in tenths, in both languages', () => {
  expect([0, 40, 400, 999].map((ms) => durationText(ms, 'en'))).toEqual(['0\u00a0s', '< 0.1\u00a0s', '0.4\u00a0s', '0.9\u00a0s']);
  expect([0, 40, 400, 999].map((ms) => durationText(ms, 'ru'))).toEqual(['0\u00a0с', '< 0,1\u00a0с', '0,4\u00a0с', '0,9\u00a0с']);
});

test('D5.01 a longer time is shown as on a clock, and a clock that runs shows whole seconds only', () => {
  expect([1_000, 42_900, 3_723_000].map((ms) => durationText(ms, 'en'))).toEqual(['0:01', '0:42', '1:02:03']);
  expect([0, 400, 42_900, 3_723_000].map(clock)).toEqual(['0:00', '0:00', '0:42', '1:02:03']);
});
