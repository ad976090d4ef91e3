import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Lead, leadPriorities, leadStatuses } from '../../../contract/lead.ts';
import { firstOrder, leadColumns, nextOrder, sortLeads } from '../../../src/app/leads/sort-leads.ts';

const lead = (id: string, change: Partial<Lead> = {}): Lead => ({
  ...{ id, name: id, email: `${id}@example.org`, company: '', role: '', comment: '', consent: true },
  ...{ status: 'new', source: 'landing', priority: 'normal', createdAt: '2026-11-20T12:00:00.000Z', updatedAt: '2026-11-20T12:00:00.000Z' },
  ...change,
});
const ids = (leads: readonly Lead[]) => leads.map(({ id }) => id);

test('P7.03 requests stand newest first, and are found by name, company or comment', () => {
  const all = [
    lead('a', { createdAt: '2026-11-18T12:00:00.000Z', company: 'Верфь' }),
    lead('b', { status: 'won' }),
    lead('c', { createdAt: '2026-11-19T12:00:00.000Z', comment: 'Холст' }),
  ];
  expect(ids(sortLeads(all, '', null, firstOrder, 'ru'))).toEqual(['b', 'c', 'a']);
  expect(ids(sortLeads(all, ' ВЕРФЬ ', null, firstOrder, 'ru'))).toEqual(['a']);
  expect(ids(sortLeads(all, 'хол c@', null, firstOrder, 'ru'))).toEqual(['c']);
  expect(ids(sortLeads(all, '', 'won', firstOrder, 'ru'))).toEqual(['b']);
});

test('P7.03 statuses and priorities sort by what they mean, and a second click turns the order round', () => {
  const all = leadStatuses.map((status, at) => lead(status, { status, priority: leadPriorities[at % 3] ?? 'normal' }));
  const byStatus = nextOrder(firstOrder, 'status');
  expect(ids(sortLeads(all, '', null, byStatus, 'en'))).toEqual([...leadStatuses]);
  expect(ids(sortLeads(all, '', null, nextOrder(byStatus, 'status'), 'en'))).toEqual([...leadStatuses].reverse());
  expect(sortLeads(all, '', null, nextOrder(firstOrder, 'priority'), 'en')[0]?.priority).toBe('high');
});

test('P7.03 no order loses or doubles a request', () => {
  const any = fc
    .record({ id: fc.uuid(), status: fc.constantFrom(...leadStatuses), priority: fc.constantFrom(...leadPriorities), name: fc.string() })
    .map(({ id, ...change }) => lead(id, change));
  const orders = fc.record({ column: fc.constantFrom(...leadColumns), descending: fc.boolean() });
  fc.assert(
    fc.property(fc.uniqueArray(any, { selector: ({ id }) => id }), orders, (all, order) => {
      expect(ids(sortLeads(all, '', null, order, 'ru')).sort()).toEqual(ids(all).sort());
    }),
  );
});
