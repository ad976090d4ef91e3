import { expect, test } from 'vitest';
import type { Lead } from '../../../contract/lead.ts';
import { ApiError } from '../../../src/api/api-error.ts';
import type { Api } from '../../../src/api/create-api.ts';
import { LeadStore } from '../../../src/app/leads/lead-store.ts';

const lead = (id: string): Lead => ({
  ...{ id, name: id, email: `${id}@example.org`, company: '', role: '', comment: '', consent: true },
  ...{ status: 'new', source: 'landing', priority: 'normal', createdAt: '2026-11-20T12:00:00.000Z', updatedAt: '2026-11-20T12:00:00.000Z' },
});

/** A store on a server with these answers, and the names of the calls. */
function storeWith(answers: Record<string, (sent: { query?: { offset: number }; params?: { id: string } }) => unknown>) {
  const calls: string[] = [];
  const call = async (name: string, sent = {}) => {
    calls.push(name);
    const answer = answers[name];
    if (!answer) throw new Error(`No answer for ${name}`);
    return answer(sent);
  };
  return { store: new LeadStore({ call } as unknown as Api, () => 'key'), calls };
}

const refuse = (status: number, code: string) => () => {
  throw new ApiError({ status, code, message: code });
};

test('P7.03 all requests are read, page by page', async () => {
  const all = Array.from({ length: 450 }, (_, at) => lead(`lead-${at}`));
  const { store, calls } = storeWith({ 'lead.list': ({ query }) => all.slice(query?.offset, (query?.offset ?? 0) + 200) });
  expect(await store.load()).toBe(true);
  expect([store.get().status, store.get().items.length, calls.length]).toEqual(['ready', 450, 3]);
});

test('P7.03 a refusal shows that the user is not staff; an unreachable server leaves the loaded requests and shows the error', async () => {
  const refused = storeWith({ 'lead.list': refuse(403, 'forbidden') });
  expect(await refused.store.load()).toBe(false);
  expect(refused.store.get().isForbidden).toBe(true);
  const away = storeWith({ 'lead.list': () => [lead('a')], 'lead.setStatus': refuse(0, 'network') });
  await away.store.load();
  expect(await away.store.setStatus('a', 'won')).toBe(false);
  expect(away.store.get()).toMatchObject({ status: 'ready', problem: { code: 'network' }, items: [{ status: 'new' }] });
});

test('P7.03 a request that a colleague has removed already is removed, and a change is shown once the server has it', async () => {
  const { store } = storeWith({
    'lead.list': () => [lead('a'), lead('b')],
    'lead.remove': refuse(404, 'not_found'),
    'lead.update': ({ params }) => ({ ...lead(params?.id ?? ''), priority: 'high' }),
  });
  await store.load();
  expect(await store.remove('a')).toBe(true);
  expect(await store.setPriority('b', 'high')).toBe(true);
  expect(store.get()).toMatchObject({ problem: null, items: [{ id: 'b', priority: 'high' }] });
});
