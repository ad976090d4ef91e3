import { expect, test } from 'vitest';
import { leadCreation } from '../../../contract/lead.ts';
import { emptyLead, isCompleteLead, leadLimits, withPlanComment, writtenLead } from '../../../src/landing/lead/lead-draft.ts';

const complete = { ...emptyLead, name: 'Анна', email: 'anna@example.org', consent: true };

test('P5.03 a demo request is complete with name, email and consent, and lacks each of them', () => {
  expect(isCompleteLead(complete)).toBe(true);
  expect(isCompleteLead({ ...complete, name: '  ' })).toBe(false);
  expect(isCompleteLead({ ...complete, email: '' })).toBe(false);
  expect(isCompleteLead({ ...complete, consent: false })).toBe(false);
});

test('P5.03 the comment of a lead has 200 characters at most', () => {
  expect(isCompleteLead({ ...complete, comment: 'а'.repeat(200) })).toBe(true);
  expect(isCompleteLead({ ...complete, comment: 'а'.repeat(201) })).toBe(false);
});

test.each([
  'anna@example.org',
  'a.b+c@sub.example.co',
  "o'neil_1@x-y.ru",
  'anna@',
  'anna@example',
  '@example.org',
  'a b@example.org',
  '.anna@example.org',
  'an..na@example.org',
  'anna@-x.org',
  'anna@example.o',
  'anna.@example.org',
  `${'a'.repeat(243)}@example.org`,
  `${'a'.repeat(242)}@example.org`,
])('P5.03 the form takes the addresses that the server takes: %s', (email) => {
  expect(isCompleteLead({ ...complete, email })).toBe(leadCreation.safeParse({ ...complete, email }).success);
});

test('P5.03 every field may be as long as the server lets it be, and no longer', () => {
  for (const field of ['name', 'company', 'role', 'comment'] as const) {
    const atMost = { ...complete, [field]: 'x'.repeat(leadLimits[field]) };
    expect([field, leadCreation.safeParse(atMost).success]).toEqual([field, true]);
    expect([field, leadCreation.safeParse({ ...atMost, [field]: `${atMost[field]}x` }).success]).toEqual([field, false]);
  }
});

test('P2.11 the chosen plan is written into an empty comment', () => {
  const team = withPlanComment(emptyLead, 'Team', null);
  expect(team.comment).toBe('Team');
  expect(withPlanComment(team, 'Pro', 'Team').comment).toBe('Pro');
  expect(withPlanComment({ ...team, comment: 'Team, please' }, 'Pro', 'Team').comment).toBe('Team, please');
  expect(withPlanComment({ ...team, comment: ' ' }, 'Pro', 'Team').comment).toBe('Pro');
});

test('P4.10 the draft takes over the fields that a browser restores', () => {
  const fields = new FormData();
  expect(writtenLead(fields)).toEqual(emptyLead);
  for (const name of ['name', 'email', 'company', 'role', 'comment']) fields.set(name, `${name} written`);
  fields.set('consent', 'on');
  expect(writtenLead(fields)).toEqual({
    ...{ name: 'name written', email: 'email written', company: 'company written', role: 'role written' },
    ...{ comment: 'comment written', consent: true },
  });
});
