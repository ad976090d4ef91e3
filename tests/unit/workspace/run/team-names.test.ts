import { expect, test } from 'vitest';
import { teamNames } from '../../../../src/app/workspace/run/task/team-names.ts';
import { dialogNode } from '../../../support/engine/samples.ts';

test('R24.01 teams have the titles of their dialogs; those with the same title, and those without one, are numbered', () => {
  const dialogs = [
    ['a', 'Shop'],
    ['b', ' '],
    ['c', 'Bakery'],
    ['d', 'Shop '],
    ['e', ''],
  ].map(([id = '', title = '']) => dialogNode(id, 0, 0, { title }));
  const names = teamNames(dialogs, 'Dialog', (number, title) => `${number}. ${title}`);
  expect([...names]).toEqual([
    ['a', '1. Shop'],
    ['b', '1. Dialog'],
    ['c', 'Bakery'],
    ['d', '2. Shop'],
    ['e', '2. Dialog'],
  ]);
});
