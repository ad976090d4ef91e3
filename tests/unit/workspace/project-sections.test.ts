import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Project, projectStatuses } from '../../../contract/project.ts';
import { nextProject, projectHue, projectSections } from '../../../src/app/workspace/projects/project-sections.ts';

const project = (id: string, change: Partial<Project> = {}): Project => ({
  ...{ id, name: `Project ${id}`, description: '', status: 'active', isDemo: false, userId: 'u' },
  ...{ createdAt: '2026-11-20T12:00:00.000Z', updatedAt: '2026-11-20T12:00:00.000Z' },
  ...change,
});
const ids = (projects: readonly Project[]) => projects.map(({ id }) => id);

test('W7.01 the open project stands first, then those edited last, and archived ones apart', () => {
  const all = [
    project('a', { updatedAt: '2026-11-20T10:00:00.000Z' }),
    project('b', { updatedAt: '2026-11-20T13:00:00.000Z', description: 'Books' }),
    project('c', { status: 'archived' }),
    project('d', { updatedAt: '2026-11-20T12:30:00.000Z', status: 'onHold' }),
  ];
  const { shown, archived } = projectSections(all, '', 'a');
  expect([ids(shown), ids(archived)]).toEqual([['a', 'b', 'd'], ['c']]);
  expect(ids(projectSections(all, 'BOOK', 'a').shown)).toEqual(['b']);
  expect(ids(projectSections(all, '', 'c').shown)).toContain('c');
});

test('W7.01 after a removed project the next project that is not archived is opened, as long as there is one', () => {
  const all = [project('a'), project('b', { status: 'archived' }), project('c')];
  expect(nextProject(all, 'a')).toBe('c');
  expect(
    nextProject(
      [all[0], all[1]].flatMap((one) => one ?? []),
      'a',
    ),
  ).toBe('b');
  expect(nextProject([project('a')], 'a')).toBeNull();
});

test('W7.01 every project is in exactly one section, in any state, and has one colour', () => {
  const any = fc.record({ id: fc.uuid(), status: fc.constantFrom(...projectStatuses) }).map(({ id, status }) => project(id, { status }));
  fc.assert(
    fc.property(fc.uniqueArray(any, { selector: ({ id }) => id }), fc.nat(), (all, pick) => {
      const current = all[pick % Math.max(1, all.length)]?.id ?? null;
      const { shown, archived } = projectSections(all, '', current);
      expect(ids([...shown, ...archived]).sort()).toEqual(ids(all).sort());
      for (const { id } of all) expect(projectHue(id)).toBe(projectHue(id));
    }),
  );
});
