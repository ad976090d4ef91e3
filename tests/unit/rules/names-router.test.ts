import { expect, test } from 'vitest';
import { namesRouter } from '../../../rules/text/names-router.ts';

test.each([
  ['Router', true],
  ['Ticket triage', true],
  ['Request dispatcher, first line', true],
  ['Диспетчер заявок', true],
  ['МАРШРУТИЗАТОР', true],
  ['OpenRouter expert', false],
  ['Routine checks', false],
  ['Analyst', false],
  ['', false],
])('D1.02 a title that names a router is one: %s', (title, isOne) => {
  expect(namesRouter(title)).toBe(isOne);
});
