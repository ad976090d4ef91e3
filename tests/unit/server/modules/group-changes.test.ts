import { expect, test } from 'vitest';
import { type ChangeRow, groupChanges } from '../../../../server/modules/projects/versions/group-changes.ts';

const ann = { id: '01900000-0000-7000-8000-000000000001', name: 'Ann' };
const counts = { added: 1, removed: 0, changed: 0, moved: 2, linksAdded: 0, linksRemoved: 0, linksChanged: 0 };

const change = (version: number, time: string, more: Partial<ChangeRow> = {}): ChangeRow => ({
  ...{
    version,
    at: `2026-03-04T${time}:00.000Z`,
    author: ann,
    clientId: 'tab',
    counts,
    titles: [`Card ${version}`],
    isBare: false,
    mark: null,
  },
  ...more,
});
const spans = (...changes: ChangeRow[]) => groupChanges(changes).map(({ version, from }) => `${from}-${version}`);

test('G6.03 changes that follow closely are one group, with the sum of what they did and its first titles', () => {
  const [group, ...others] = groupChanges([change(5, '10:08'), change(4, '10:04'), change(3, '10:01'), change(2, '10:00')]);
  expect(others).toEqual([]);
  expect(group).toMatchObject({ version: 5, from: 1, changes: 4, since: '2026-03-04T10:00:00.000Z', at: '2026-03-04T10:08:00.000Z' });
  expect(group?.counts).toMatchObject({ added: 4, moved: 8 });
  expect(group?.titles).toEqual(['Card 5', 'Card 4', 'Card 3']);
});

test('G6.03 a group of changes ends at a pause, after half an hour, at a mark, and at another day, tab or author', () => {
  expect(spans(change(3, '10:10'), change(2, '10:04'))).toEqual(['2-3', '1-2']);
  const steady = Array.from({ length: 12 }, (_, at) => change(20 - at, `10:${String(55 - 5 * at).padStart(2, '0')}`));
  expect(spans(...steady)).toEqual(['13-20', '8-13']);
  expect(spans(change(3, '00:01'), change(2, '23:59', { at: '2026-03-03T23:59:00.000Z' }))).toEqual(['2-3', '1-2']);
  expect(spans(change(3, '10:01'), change(2, '10:00', { clientId: 'other' }))).toEqual(['2-3', '1-2']);
  expect(spans(change(3, '10:01'), change(2, '10:00', { author: null }))).toEqual(['2-3', '1-2']);
  const mark = { version: 3, kind: 'hand', name: 'Good', note: '', at: '2026-03-04T10:02:00.000Z' } as const;
  expect(spans(change(4, '10:02'), change(3, '10:01', { mark }), change(2, '10:00'))).toEqual(['3-4', '1-3']);
});

test('G6.06 a version whose earlier version is no longer kept is a group of its own', () => {
  expect(spans(change(9, '10:02'), change(8, '10:01', { isBare: true }), change(3, '10:00', { isBare: true }))).toEqual([
    '8-9',
    '7-8',
    '2-3',
  ]);
});
