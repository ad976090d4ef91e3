import { expect, test } from 'vitest';
import type { Lead } from '../../../contract/lead.ts';
import { useLeads } from '../../../src/app/leads/use-leads.ts';
import { hookOn, type PlayedAnswers, refuse } from '../../support/played-data.ts';

const lead = (id: string): Lead => ({
  ...{ id, name: id, email: `${id}@example.org`, company: '', role: '', comment: '', consent: true },
  ...{ status: 'new', source: 'landing', priority: 'normal', createdAt: '2026-11-20T12:00:00.000Z', updatedAt: '2026-11-20T12:00:00.000Z' },
});

/** The requests on a server with these answers. */
async function leadsOn(answers: PlayedAnswers) {
  const part = hookOn(answers, useLeads);
  await expect.poll(() => part.get().list.loading).toBe(false);
  return part;
}

test('P7.03 all requests are read, page by page', async () => {
  const all = Array.from({ length: 450 }, (_, at) => lead(`lead-${at}`));
  const { get, calls } = await leadsOn({ 'lead.list': ({ query }) => all.slice(Number(query?.offset), Number(query?.offset) + 200) });
  expect([get().problem, get().list.value?.length, calls.length]).toEqual([null, 450, 3]);
});

test('P7.03 a refusal shows that the user is not staff; an unreachable server leaves the loaded requests and shows the error', async () => {
  const refused = await leadsOn({ 'lead.list': refuse('forbidden') });
  expect(refused.get()).toMatchObject({ list: { value: null }, isForbidden: true });
  const away = await leadsOn({ 'lead.list': () => [lead('a')], 'lead.setStatus': refuse('network') });
  expect(await away.get().setStatus('a', 'won')).toBeNull();
  expect(away.get()).toMatchObject({ isForbidden: false, problem: { code: 'network' }, list: { value: [{ status: 'new' }] } });
  away.get().reload();
  await expect.poll(() => away.get()).toMatchObject({ problem: null, list: { loading: false } });
});

test('P7.03 a request that a colleague has removed already is removed, and a change is shown once the server has it', async () => {
  let listed = [lead('a'), lead('b')];
  const leads = await leadsOn({
    'lead.list': () => listed,
    'lead.remove': () => {
      listed = [lead('b')];
      return refuse('not_found')();
    },
    'lead.update': ({ params }) => {
      listed = [{ ...lead(params?.id ?? ''), priority: 'high' }];
      return listed[0];
    },
  });
  expect(await leads.get().remove('a')).toBe(true);
  expect(await leads.get().setPriority('b', 'high')).not.toBeNull();
  expect(leads.get()).toMatchObject({ problem: null, list: { value: [{ id: 'b', priority: 'high' }] } });
});
