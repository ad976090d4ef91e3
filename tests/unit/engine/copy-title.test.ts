import { expect, test } from 'vitest';
import { FreeTitles } from '../../../src/workers/engine/agents/free-titles.ts';

const copyTitle = (title: string, taken: string[]) => new FreeTitles(taken).copy(title);

test('R37.01 a copy is numbered by the first number that no other agent has, and a long title makes room for it', () => {
  expect(copyTitle('Tester', ['Tester'])).toBe('Tester 2');
  expect(copyTitle('Tester', ['Tester', 'Tester 2', 'Tester 4'])).toBe('Tester 3');
  expect(copyTitle('Tester 2', ['Tester', 'Tester 2'])).toBe('Tester 3');
  expect(copyTitle('x'.repeat(200), [])).toBe(`${'x'.repeat(198)} 2`);
});

test('R37.02 many copies have titles of their own, and a card keeps its title where that is free', () => {
  const titles = new FreeTitles(['Tester', 'Tester 3']);
  expect([titles.copy('Tester'), titles.copy('Tester'), titles.own('Tester'), titles.own('Writer'), titles.own('Writer')]).toEqual([
    ...['Tester 2', 'Tester 4', 'Tester 5', 'Writer', 'Writer 2'],
  ]);
});
