import { expect, test } from 'vitest';
import { composeDemo } from '../../../src/landing/demo/compose-demo.ts';

const team = [
  { role: 'ProjectManager', title: 'Project manager' },
  { role: 'TechnicalArchitect', title: 'Team lead' },
  { role: 'Developer', title: 'Developer' },
] as const;

test.each([
  ['en', 'Show the weather forecast for picnics', 'forecast'],
  ['ru', 'Показать прогноз погоды для пикников', 'прогноз'],
] as const)('P4.09 the demo makes its steps of the words of the visitor (%s)', (language, task, word) => {
  const { plan, code, pullRequest } = composeDemo(task, team, language);
  expect(plan.title).toContain(task);
  expect(plan.waves).toHaveLength(3);
  expect(plan.waves.join(' ')).toContain(word);
  expect(code.path).toMatch(/^src\/[a-z-]+\/rules\.ts$/);
  expect(code.text).toContain('export function problemsOf');
  expect(pullRequest).toMatchObject({ title: task });
  expect(pullRequest.files).toHaveLength(3);
  expect(pullRequest.summary).toMatch(/has not been run|не запускался/);
});

test('P4.09 the same task gives the same demo, and another task another', () => {
  const first = composeDemo('Book a table in a restaurant', team, 'en');
  expect(composeDemo('Book a table in a restaurant', team, 'en')).toEqual(first);
  expect(composeDemo('Track parcels on a map', team, 'en').code.path).not.toBe(first.code.path);
});
