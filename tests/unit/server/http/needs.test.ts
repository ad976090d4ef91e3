import { expect, test } from 'vitest';
import { scopeOf } from '../../../../contract/needs.ts';
import type { Route } from '../../../../contract/route.ts';
import { type RouteName, routes } from '../../../../contract/routes.ts';

const calls = (Object.entries(routes) as [RouteName, Route][]).flatMap(([name, { method, needs }]) =>
  needs === undefined ? [] : [{ name, group: name.split('.')[0] as string, reads: method === 'GET', needs }],
);
const named = (chosen: typeof calls) => chosen.map(({ name, needs }) => `${name}: ${needs}`).sort();

test('K2.02 a call that only reads needs no right to change, and one that changes needs more than to read', () => {
  const wrong = calls.filter(({ reads, needs }) => (reads ? ['run', 'answer', 'edit'].includes(needs) : needs === 'read'));
  // Its planned steps are too many for an address.
  expect(named(wrong)).toEqual(['budget.forecast: read']);
});

test('K2.02 the right to answer is for answers alone', () => {
  expect(named(calls.filter(({ needs }) => needs === 'answer'))).toEqual(['question.answer: answer', 'team.answer: answer']);
});

test('K2.02 what the owner decides and what is of the account is closed to every program', () => {
  const closed = [
    'account',
    'apiKey',
    'auth',
    'hook',
    'modelConnection',
    'push',
    'releasedTeam',
    'storage',
    'telegram',
    'toolServer',
    'trigger',
  ];
  expect(named(calls.filter(({ group, needs }) => closed.includes(group) && scopeOf(needs) !== null))).toEqual([]);
});
