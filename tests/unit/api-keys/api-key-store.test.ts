import { expect, test } from 'vitest';
import type { ApiKey } from '../../../contract/api-key.ts';
import { ApiError } from '../../../src/api/api-error.ts';
import type { Api } from '../../../src/api/create-api.ts';
import { ApiKeyStore } from '../../../src/app/api-keys/api-key-store.ts';

const key: ApiKey = {
  id: '0197b3c8-7e34-7a19-9d4e-2f6a1c5b8e90',
  name: 'Nightly',
  prefix: 'art_5kQ2',
  scopes: ['read'],
  projectId: null,
  budget: null,
  createdAt: '2026-01-15T09:00:00.000Z',
  expiresAt: null,
  lastUsedAt: null,
  lastUsedFrom: null,
  revokedAt: null,
};

/** A store whose calls are answered by these functions, one for each operation. */
function storeWith(answers: Record<string, () => unknown>): ApiKeyStore {
  return new ApiKeyStore({ call: async (name: string) => answers[name]?.() } as unknown as Api);
}

test('K2.01 the text of a new key is shown until it is revoked, and is not kept in the list', async () => {
  let listed: ApiKey[] = [];
  const store = storeWith({
    'apiKey.list': () => listed,
    'apiKey.create': () => ({ ...key, key: 'art_secret' }),
    'apiKey.revoke': () => undefined,
  });
  await store.load();
  expect(await store.create({ name: 'Nightly', scopes: ['read'] })).toBe(true);
  expect(store.get()).toMatchObject({ created: { key: 'art_secret' }, items: [key], status: 'ready' });
  expect(store.get().items[0]).not.toHaveProperty('key');
  listed = [{ ...key, revokedAt: '2026-01-16T09:00:00.000Z' }];
  expect(await store.revoke(key.id)).toBe(true);
  expect(store.get()).toMatchObject({ created: null, items: listed });
});

test('K2.01 a key whose answer is lost is in the list beside the problem, so that its owner can revoke it', async () => {
  let listed: ApiKey[] = [];
  const store = storeWith({
    'apiKey.list': () => listed,
    'apiKey.create': () => {
      listed = [key];
      throw new ApiError({ status: 0, code: 'network', message: 'lost' });
    },
  });
  await store.load();
  expect(await store.create({ name: 'Nightly', scopes: ['read'] })).toBe(false);
  expect(store.get()).toMatchObject({ items: [key], created: null, isBusy: false });
  expect(store.get().problem).not.toBeNull();
});

test('K2.10 the last runs of the key that was opened last are shown, and none where they cannot be read', async () => {
  const runs = [{ runId: key.id, projectId: key.id, title: 'Notes', status: 'completed', from: '203.0.113.7', at: key.createdAt }];
  const reads: ((answer: unknown) => void)[] = [];
  const store = storeWith({ 'apiKey.list': () => [key], 'apiKey.runs': () => new Promise((resolve) => reads.push(resolve)) });
  await store.load();
  const [first, second] = [store.open('earlier'), store.open(key.id)];
  reads[0]?.([]);
  await first;
  expect(store.get()).toMatchObject({ openId: key.id, runs: null });
  reads[1]?.(runs);
  await second;
  expect(store.get()).toMatchObject({ openId: key.id, runs });
  const third = store.open(key.id);
  reads[2]?.(Promise.reject(new ApiError({ status: 0, code: 'network', message: 'lost' })));
  await third;
  expect(store.get()).toMatchObject({ openId: null, problem: { code: 'network' } });
});
