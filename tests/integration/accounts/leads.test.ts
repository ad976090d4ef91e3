import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import type { Lead } from '../../../contract/lead.ts';
import type { Route } from '../../../contract/route.ts';
import { type RouteName, routes } from '../../../contract/routes.ts';
import { callerOf, signUp } from '../../support/call-api.ts';
import { setUp, setUpServer } from '../../support/set-up/for-vitest.ts';
import { verifyEmail } from '../../support/verify-email.ts';

const server = setUpServer({ ARTEL_STAFF_EMAILS: 'chief@example.com' });
const stranger = setUp(async () => callerOf(server.url));
const chief = setUp(() => signUp(server.url, { email: 'chief@example.com' }));
const member = setUp(() => signUp(server.url));

beforeAll(() => verifyEmail(server, 'chief@example.com'));

const missing = '01a1fab3-094b-73bf-a485-a91fccff0c5d';
const request = (more: object = {}) => ({ name: 'Вера', email: `vera-${randomUUID()}@example.com`, consent: true as const, ...more });
const newLead = (more: object = {}): Promise<Lead> => stranger.ask('lead.create', { body: request(more) });

test('P7.03 every visitor can request a demo, and staff reads all of it', async () => {
  const body = request({ name: '  Вера ', company: 'Артель', role: 'CTO', comment: 'Покажите холст' });
  const lead = await stranger.ask('lead.create', { body });
  expect(lead).toMatchObject({ ...body, name: 'Вера', status: 'new', priority: 'normal', source: 'landing', createdAt: lead.updatedAt });
  expect(await chief.ask('lead.get', { params: { id: lead.id } })).toEqual(lead);
  const [newest] = await chief.ask('lead.list');
  expect(newest).toEqual(lead);
});

test.each([
  ['no name', { name: ' ' }, 'name'],
  ['a wrong email', { email: 'vera' }, 'email'],
  ['no consent', { consent: false }, 'consent'],
  ['consent in other words', { consent: 'true' }, 'consent'],
  ['a comment of 201 characters', { comment: 'x'.repeat(201) }, 'comment'],
])('P7.03 a request with %s is refused and names the field', async (_, wrong, path) => {
  const before = await chief.ask('lead.list');
  const refusal = await stranger.refused('lead.create', { body: request(wrong) });
  expect(refusal).toMatchObject({ status: 400, code: 'bad_request', errors: [{ path }] });
  expect(await chief.ask('lead.list')).toEqual(before);
});

test('P7.03 a comment of 200 characters is accepted, and a visitor cannot set status, priority or source', async () => {
  const lead = await newLead({ comment: 'x'.repeat(200), status: 'won', priority: 'high', source: 'friend', id: missing });
  expect(lead).toMatchObject({ comment: 'x'.repeat(200), status: 'new', priority: 'normal', source: 'landing' });
  expect(lead.id).not.toBe(missing);
});

const guarded = (Object.keys(routes) as RouteName[]).filter((name) => name.startsWith('lead.') && name !== 'lead.create');
const valid = { params: { id: missing, status: 'new', source: 'landing', priority: 'low' } };

test.each(guarded)('P7.03 %s is for staff: a caller without a session gets 401, an ordinary user 403, for any request', async (name) => {
  const body = routes[name].method === 'GET' ? {} : { body: { status: 'won', text: 'x' } };
  expect(await stranger.refused(name, { ...valid, ...body })).toMatchObject({ status: 401, code: 'unauthorized' });
  const { id } = await newLead();
  for (const params of [valid.params, { ...valid.params, id }]) {
    expect(await member.refused(name, { params, ...body })).toMatchObject({ status: 403, code: 'forbidden' });
  }
  expect(await chief.ask('lead.get', { params: { id } })).toMatchObject({ status: 'new' });
});

test.each(guarded.filter((name) => (routes[name] as Route).path.includes('{id}')))(
  'P7.03 %s answers 404 for what is not there',
  async (name) => {
    const body = routes[name].method === 'GET' ? {} : { body: { status: 'won', text: 'x' } };
    expect(await chief.refused(name, { ...valid, ...body })).toMatchObject({ status: 404, code: 'not_found' });
    expect(await chief.refused(name, { params: { id: 'no-id' }, ...body })).toMatchObject({ status: 400, code: 'bad_request' });
  },
);

test('P7.03 staff changes the given fields, and consent is never changed', async () => {
  const lead = await newLead({ company: 'Old', role: 'CTO' });
  const body = { company: 'New', priority: 'high' as const, source: ' Friend ', consent: false, status: 'won' };
  const changed = await chief.ask('lead.update', { params: { id: lead.id }, body });
  const { updatedAt } = changed;
  expect(changed).toEqual({ ...lead, company: 'New', priority: 'high', source: 'friend', updatedAt });
  expect(Date.parse(updatedAt)).toBeGreaterThanOrEqual(Date.parse(lead.updatedAt));
  expect(await chief.ask('lead.get', { params: { id: lead.id } })).toEqual(changed);
  expect(await chief.refused('lead.update', { params: { id: lead.id }, body: { name: '' } })).toMatchObject({ status: 400 });
});

test('P7.03 a status is set by its name or its number, and lists by status, source and priority hold what fits', async () => {
  const [one, other] = [await newLead(), await newLead()];
  const source = `fair-${randomUUID()}`;
  for (const { id } of [one, other]) await chief.ask('lead.update', { params: { id }, body: { source, priority: 'low' } });
  expect(await chief.ask('lead.setStatus', { params: { id: one.id }, body: { status: 'qualified' } })).toMatchObject({
    status: 'qualified',
  });
  expect(await chief.ask('lead.setStatus', { params: { id: other.id }, body: { status: 4 } })).toMatchObject({ status: 'lost' });
  expect(await chief.refused('lead.setStatus', { params: { id: one.id }, body: { status: 'sold' } })).toMatchObject({ status: 400 });

  const ids = (leads: Lead[]) => leads.map(({ id }) => id);
  expect(ids(await chief.ask('lead.bySource', { params: { source } }))).toEqual([other.id, one.id]);
  for (const status of ['qualified', 'QUALIFIED', '2']) {
    const found = ids(await chief.ask('lead.byStatus', { params: { status } }));
    expect([found.includes(one.id), found.includes(other.id)]).toEqual([true, false]);
  }
  const low = await chief.ask('lead.byPriority', { params: { priority: 'low' } });
  expect(low.every(({ priority }) => priority === 'low')).toBe(true);
  expect(ids(low)).toEqual(expect.arrayContaining([one.id, other.id]));
  expect(await chief.refused('lead.byStatus', { params: { status: 'sold' } })).toMatchObject({ status: 400 });
  expect(await chief.refused('lead.byPriority', { params: { priority: '3' } })).toMatchObject({ status: 400 });
});

test('P7.03 a range of days includes the leads of its first and its last day', async () => {
  const lead = await newLead();
  const day = (offset: number) => new Date(Date.parse(lead.createdAt) + offset * 86_400_000).toISOString().slice(0, 10);
  const between = async (startDate: string, endDate: string) =>
    (await chief.ask('lead.byDate', { query: { startDate, endDate } })).some(({ id }) => id === lead.id);
  expect(await between(day(0), day(0))).toBe(true);
  expect(await between(day(-2), day(-1))).toBe(false);
  expect(await between(day(1), day(2))).toBe(false);
  expect(await between(lead.createdAt, lead.createdAt)).toBe(true);
  const [never, end] = ['0000-01-01', '9999-12-31'];
  const wrong = [{}, { startDate: day(0) }, { startDate: day(0), endDate: day(-1) }, { startDate: never, endDate: day(0) }];
  for (const query of [...wrong, { startDate: day(0), endDate: end }]) {
    expect(await chief.refused('lead.byDate', { query: query as Record<string, string> })).toMatchObject({
      status: 400,
      code: 'bad_request',
    });
  }
});

test('P7.03 lists come in pages and say how many there are', async () => {
  const source = `page-${randomUUID()}`;
  const made = [await newLead(), await newLead(), await newLead()];
  for (const { id } of made) await chief.ask('lead.update', { params: { id }, body: { source } });
  const response = await chief.send('lead.bySource', { params: { source }, query: { limit: 1, offset: 1 } });
  expect(response.headers.get('x-total-count')).toBe('3');
  expect(((await response.json()) as Lead[]).map(({ id }) => id)).toEqual([made[1]?.id]);
});

test('P7.03 the staff comments on a lead, once for each key, and a removed lead takes its comments along', async () => {
  const { id } = await newLead();
  const params = { id };
  const headers = { 'idempotency-key': randomUUID() };
  const first = await chief.ask('lead.addComment', { params, body: { text: ' Позвонить в среду ' }, headers });
  expect(first).toMatchObject({ authorId: chief.id, text: 'Позвонить в среду' });
  expect(await chief.ask('lead.addComment', { params, body: { text: ' Позвонить в среду ' }, headers })).toEqual(first);
  const second = await chief.ask('lead.addComment', { params, body: { text: 'Done' } });
  expect(await chief.ask('lead.comments', { params })).toEqual([first, second]);
  expect(await chief.refused('lead.addComment', { params, body: { text: ' ' } })).toMatchObject({
    status: 400,
    errors: [{ path: 'text' }],
  });

  await chief.ask('lead.remove', { params });
  for (const name of ['lead.get', 'lead.comments', 'lead.remove'] as const) {
    expect(await chief.refused(name, { params })).toMatchObject({ status: 404 });
  }
});
