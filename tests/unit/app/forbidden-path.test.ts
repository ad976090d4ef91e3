import { expect, test } from 'vitest';
import { canRedirectToForbidden } from '../../../src/app/routes/notices/forbidden-path.ts';

test('P2.04 refused access redirects to the forbidden page from every page but the forbidden page itself', () => {
  expect(['/', '/leads', '/test-project', '/forbidden/more'].map(canRedirectToForbidden)).toEqual([true, true, true, true]);
  expect(['/forbidden', '/forbidden/', '/Forbidden'].map(canRedirectToForbidden)).toEqual([false, false, false]);
});
