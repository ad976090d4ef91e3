import { expect, test } from 'vitest';
import { copyTitle } from '../../../src/workers/engine/agents/make-agent.ts';

test('R37.01 a copy is numbered by the first number that no other agent has, and a long title makes room for it', () => {
  expect(copyTitle('Tester', ['Tester'])).toBe('Tester 2');
  expect(copyTitle('Tester', ['Tester', 'Tester 2', 'Tester 4'])).toBe('Tester 3');
  expect(copyTitle('Tester 2', ['Tester', 'Tester 2'])).toBe('Tester 3');
  expect(copyTitle('x'.repeat(200), [])).toBe(`${'x'.repeat(198)} 2`);
});
