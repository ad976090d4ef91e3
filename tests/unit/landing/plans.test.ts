import { expect, test } from 'vitest';
import { planPrice, plans } from '../../../src/landing/pricing/plans.ts';

test('P2.11 P9.01 four plans cost what they should, in dollars and in roubles, and Team is recommended', () => {
  const plain = (text: string) => text.replace(/\s/g, ' ');
  expect(plans.map((plan) => [plan.key, plain(planPrice(plan, 'en')), plain(planPrice(plan, 'ru'))])).toEqual([
    ['starter', '$299', '24 067 ₽'],
    ['team', '$499', '51 827 ₽'],
    ['pro', '$899', '72 361 ₽'],
    ['enterprise', '$2,499', '201 225 ₽'],
  ]);
  expect(plans.filter(({ recommended }) => recommended).map(({ key }) => key)).toEqual(['team']);
});

test('P2.11 P9.01 the plans allow 3, 6 and 20 agents, and 5 and 20 users; prompts can be changed in Team and Pro', () => {
  const counts = (text: string) =>
    plans.map(({ features }) => features.flatMap((feature) => (feature.text === text ? ['count' in feature ? feature.count : true] : [])));
  expect(counts('agents')).toEqual([[3], [6], [20], []]);
  expect(counts('users')).toEqual([[], [5], [20], []]);
  expect(counts('trial')).toEqual([[14], [], [], []]);
  expect(counts('prompts')).toEqual([[], [true], [true], []]);
});
