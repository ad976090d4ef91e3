import { expect, test } from 'vitest';
import type { HookDelivery, HookOut } from '../../../contract/hook.ts';
import { ApiError } from '../../../src/api/api-error.ts';
import type { Api } from '../../../src/api/create-api.ts';
import { HookStore } from '../../../src/app/connect/hook-store.ts';

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

/** A store whose calls are answered by these functions, one for each operation. */
function storeWith(answers: Record<string, () => unknown>): HookStore {
  return new HookStore({ call: async (name: string) => answers[name]?.() } as unknown as Api, hook.projectId);
}

const lost = () => {
  throw new ApiError({ status: 0, code: 'network', message: 'lost' });
};

test('K6.09 the secret of a new hook is shown until it is removed, and is not kept in the list', async () => {
  let listed: HookOut[] = [];
  const store = storeWith({
    'hook.list': () => listed,
    'hook.create': () => ({ ...hook, secret: 'whsec_x' }),
    'hook.remove': () => undefined,
  });
  await store.load();
  expect(await store.create(creation)).toBe(true);
  expect(store.get()).toMatchObject({ created: { secret: 'whsec_x' }, items: [hook] });
  expect(store.get().items[0]).not.toHaveProperty('secret');
  listed = [];
  expect(await store.remove(hook.id)).toBe(true);
  expect(store.get()).toMatchObject({ created: null, items: [] });
});

test('K6.09 a hook whose answer is lost is in the list beside the problem, so that its owner can remove it', async () => {
  let listed: HookOut[] = [];
  const store = storeWith({
    'hook.list': () => listed,
    'hook.create': () => {
      listed = [hook];
      return lost();
    },
  });
  await store.load();
  expect(await store.create(creation)).toBe(false);
  expect(store.get()).toMatchObject({ items: [hook], created: null, isBusy: false, problem: { code: 'network' } });
});

test('K6.09 while the list is read again after a refusal a second try goes out, and the hook that it made stays in the list', async () => {
  const refused = () => {
    throw new ApiError({ status: 400, code: 'bad_request', message: 'wrong' });
  };
  const listed = Promise.withResolvers<HookOut[]>();
  let create: () => unknown = refused;
  const store = storeWith({ 'hook.list': () => listed.promise, 'hook.create': () => create() });
  const first = store.create(creation);
  await expect.poll(() => store.get().problem).not.toBeNull();
  expect(store.get().isBusy).toBe(false);
  create = () => ({ ...hook, secret: 'whsec_x' });
  expect(await store.create(creation)).toBe(true);
  // What was read before the second try is out of date.
  listed.resolve([]);
  expect(await first).toBe(false);
  expect(store.get()).toMatchObject({ items: [hook], problem: null });
});

test('K6.10 a replaced secret is shown once, and after a lost answer the list says that the former one still signs', async () => {
  let listed: HookOut[] = [hook];
  const replaced = { ...hook, formerSecretUntil: at };
  let replace = (): unknown => ({ ...replaced, secret: 'whsec_new' });
  const store = storeWith({ 'hook.list': () => listed, 'hook.replaceSecret': () => replace() });
  await store.load();
  expect(await store.replaceSecret(hook.id)).toBe(true);
  expect(store.get()).toMatchObject({ created: { secret: 'whsec_new' }, items: [replaced] });
  expect(store.get().items[0]).not.toHaveProperty('secret');
  const again = { ...replaced, formerSecretUntil: '2026-01-16T09:00:00.000Z' };
  listed = [again];
  replace = lost;
  expect(await store.replaceSecret(hook.id)).toBe(false);
  expect(store.get()).toMatchObject({ items: [again], problem: { code: 'network' } });
});

test('K6.09 a test shows its outcome once the receiver has answered, and nothing is read after the window has closed', async () => {
  let reads = 0;
  let answer: HookDelivery[] = [{ ...delivery, event: 'test', status: 'pending', attempt: 0 }];
  const store = storeWith({
    'hook.list': () => [hook],
    'hook.test': () => answer[0],
    'hook.deliveries': () => {
      reads += 1;
      return answer;
    },
  });
  await store.load();
  await store.test(hook.id);
  expect(store.get()).toMatchObject({ openId: hook.id, deliveries: [{ status: 'pending' }] });
  answer = [{ ...delivery, event: 'test' }];
  await expect.poll(() => store.get().deliveries?.[0]?.status).toBe('delivered');
  expect(reads).toBe(2);
  answer = [{ ...delivery, event: 'test', status: 'pending', attempt: 0 }];
  await store.test(hook.id);
  store.close();
  expect(store.get().deliveries?.[0]?.status).toBe('pending');
});
