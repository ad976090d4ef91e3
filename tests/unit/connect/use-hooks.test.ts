import { expect, test, vi } from 'vitest';
import type { HookDelivery, HookOut } from '../../../contract/hook.ts';
import { useHooks } from '../../../src/app/connect/use-hooks.ts';
import { hookOn, type PlayedAnswers, refuse } from '../../support/played-data.ts';

vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));

const at = '2026-01-15T09:00:00.000Z';
const hook: HookOut = {
  id: '0197b3c8-7e34-7a19-9d4e-2f6a1c5b8e90',
  projectId: '0197b3c8-7e34-7a19-9d4e-2f6a1c5b8e91',
  url: 'https://ci.example.com/artel',
  events: ['run.ended'],
  withTexts: false,
  createdAt: at,
  failingSince: null,
  offSince: null,
  offBecause: null,
  formerSecretUntil: null,
};
const delivery: HookDelivery = {
  id: '0197b3c8-7e34-7a19-9d4e-2f6a1c5b8e92',
  eventId: '0197b3c8-7e34-7a19-9d4e-2f6a1c5b8e93',
  event: 'run.ended',
  createdAt: at,
  status: 'delivered',
  attempt: 1,
  nextAt: null,
  triedAt: at,
  problem: null,
  answerStatus: 204,
};
const creation = { url: hook.url, events: hook.events };

/** The hooks of a project on a server that answers with these functions, one for each route. */
async function hooksOn(answers: PlayedAnswers) {
  const part = hookOn(answers, () => useHooks(hook.projectId));
  await expect.poll(() => part.get().list.loading).toBe(false);
  return part;
}

const lost = refuse('network');

test('K6.09 the secret of a new hook is shown until it is removed, and is not kept in the list', async () => {
  let listed: HookOut[] = [];
  const hooks = await hooksOn({
    'hook.list': () => listed,
    'hook.create': () => {
      listed = [hook];
      return { ...hook, secret: 'whsec_x' };
    },
    'hook.remove': () => undefined,
  });
  expect(await hooks.get().create(creation)).not.toBeNull();
  expect(hooks.get()).toMatchObject({ created: { secret: 'whsec_x' }, list: { value: [hook] } });
  expect(hooks.get().list.value?.[0]).not.toHaveProperty('secret');
  listed = [];
  expect(await hooks.get().remove(hook.id)).toBe(true);
  expect(hooks.get()).toMatchObject({ created: null, list: { value: [] } });
});

test('K6.09 a hook whose answer is lost is in the list beside the problem, so that its owner can remove it', async () => {
  let listed: HookOut[] = [];
  const hooks = await hooksOn({
    'hook.list': () => listed,
    'hook.create': () => {
      listed = [hook];
      return lost();
    },
  });
  expect(await hooks.get().create(creation)).toBeNull();
  await expect.poll(() => hooks.get().list.value).toEqual([hook]);
  expect(hooks.get()).toMatchObject({ created: null, isBusy: false, problem: { code: 'network' } });
});

test('K6.09 while the list is read again after a refusal a second try goes out, and the hook that it made stays in the list', async () => {
  const lists = [Promise.withResolvers<HookOut[]>(), Promise.withResolvers<HookOut[]>()];
  let reads = 0;
  let create: () => unknown = refuse('bad_request');
  const hooks = await hooksOn({ 'hook.list': () => (reads++ === 0 ? [] : lists[reads - 2]?.promise), 'hook.create': () => create() });
  expect(await hooks.get().create(creation)).toBeNull();
  expect(hooks.get().problem).not.toBeNull();
  expect(hooks.get().isBusy).toBe(false);
  create = () => ({ ...hook, secret: 'whsec_x' });
  const second = hooks.get().create(creation);
  await expect.poll(() => reads).toBe(3);
  lists[1]?.resolve([hook]);
  expect(await second).not.toBeNull();
  // What was read before the second try is out of date.
  lists[0]?.resolve([]);
  await lists[0]?.promise;
  expect(hooks.get()).toMatchObject({ list: { value: [hook] }, problem: null });
});

test('K6.10 a replaced secret is shown once, and after a lost answer the list says that the former one still signs', async () => {
  let listed: HookOut[] = [hook];
  const replaced = { ...hook, formerSecretUntil: at };
  let replace = (): unknown => {
    listed = [replaced];
    return { ...replaced, secret: 'whsec_new' };
  };
  const hooks = await hooksOn({ 'hook.list': () => listed, 'hook.replaceSecret': () => replace() });
  expect(await hooks.get().replaceSecret(hook.id)).not.toBeNull();
  expect(hooks.get()).toMatchObject({ created: { secret: 'whsec_new' }, list: { value: [replaced] } });
  expect(hooks.get().list.value?.[0]).not.toHaveProperty('secret');
  const again = { ...replaced, formerSecretUntil: '2026-01-16T09:00:00.000Z' };
  listed = [again];
  replace = lost;
  expect(await hooks.get().replaceSecret(hook.id)).toBeNull();
  await expect.poll(() => hooks.get().list.value).toEqual([again]);
  expect(hooks.get()).toMatchObject({ problem: { code: 'network' } });
});

test('K6.09 a test shows its outcome once the receiver has answered, and nothing is read after the window has closed', async () => {
  let answer: HookDelivery[] = [{ ...delivery, event: 'test', status: 'pending', attempt: 0 }];
  const hooks = await hooksOn({ 'hook.list': () => [hook], 'hook.test': () => answer[0], 'hook.deliveries': () => answer });
  const reads = () => hooks.calls.filter((name) => name === 'hook.deliveries').length;
  await hooks.get().test(hook.id);
  await expect.poll(() => hooks.get()).toMatchObject({ openId: hook.id, deliveries: [{ status: 'pending' }] });
  answer = [{ ...delivery, event: 'test' }];
  await expect.poll(() => hooks.get().deliveries?.[0]?.status).toBe('delivered');
  expect(reads()).toBe(2);
  answer = [{ ...delivery, event: 'test', status: 'pending', attempt: 0 }];
  await hooks.get().test(hook.id);
  expect(hooks.get().deliveries?.[0]?.status).toBe('pending');
  hooks.close();
  expect(hooks.data.value('hook.list', { params: { id: hook.projectId } })).toBeNull();
});
