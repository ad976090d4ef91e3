import { expect, test } from 'vitest';
import { mayLeadToForbidden } from '../../../src/app/routes/forbidden-path.ts';

test('P2.04 refused access leads to its page from anywhere but from that page', () => {
  expect(['/', '/leads', '/test-project', '/forbidden/more'].map(mayLeadToForbidden)).toEqual([true, true, true, true]);
  expect(['/forbidden', '/forbidden/', '/Forbidden'].map(mayLeadToForbidden)).toEqual([false, false, false]);
});
