import { expect, test } from 'vitest';
import { createOpaqueTurns } from '../../../../server/modules/executions/tools/opaque-turns.ts';

const { seal, open } = createOpaqueTurns({
  seal: (text, about) => `${about}|${text}`,
  open: (sealed, about) => (sealed.startsWith(`${about}|`) ? sealed.slice(about.length + 1) : null),
});
const step = { executionId: 'e', stepId: 's' };

test('M2.23 a sealed turn of a provider opens in its own step only, neither in another step nor in a fork', () => {
  const sealed = seal(step, 'signature');
  expect(open(step, sealed)).toBe('signature');
  expect(open({ ...step, executionId: 'fork' }, sealed)).toBeNull();
  expect(open({ ...step, stepId: 'other' }, sealed)).toBeNull();
  expect([seal(step, undefined), open(step, null)]).toEqual([null, null]);
});

test('M2.23 a sealed turn of more than 256 KiB is not kept', () => {
  expect(seal(step, 'x'.repeat(256 * 1024))).not.toBeNull();
  expect(seal(step, 'я'.repeat(128 * 1024 + 1))).toBeNull();
});
