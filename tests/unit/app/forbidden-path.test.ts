import { expect, test } from 'vitest';
import { canRedirectToForbidden } from '../../../src/app/routes/notices/forbidden-path.ts';

test('P2.04 refused access leads to its page from anywhere but from that page', () => {
  expect(['/', '/leads', '/test-project', '/forbidden/more'].map(canRedirectToForbidden)).toEqual([true, true, true, true]);
  expect(['/forbidden', '/forbidden/', '/Forbidden'].map(canRedirectToForbidden)).toEqual([false, false, false]);
});
