import { expect, test } from 'vitest';
import { inOrder } from '../../../src/app/workspace/banners/notice-order.ts';
import type { Notice } from '../../../src/model/workspace-state.ts';

const notice = (id: string, level: Notice['level']): Notice => ({ id, level, code: 'network', until: null });

test('W2.02 of several notices an error is seen first, and among equal ones the newest', () => {
  const notices = [notice('1', 'error'), notice('2', 'info'), notice('3', 'warning'), notice('4', 'error'), notice('5', 'info')];
  expect(inOrder(notices).map(({ id }) => id)).toEqual(['4', '1', '5', '3', '2']);
  expect(notices.map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5']);
});
