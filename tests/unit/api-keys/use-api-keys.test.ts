import { expect, test } from 'vitest';
import type { ApiKey } from '../../../contract/api-key.ts';
import { useApiKeys } from '../../../src/app/api-keys/use-api-keys.ts';
import { hookOn, type PlayedAnswers, PlayedProblem, refuse } from '../../support/played-data.ts';

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

/** The keys on a server that answers with these functions, one for each route. */
async function keysOn(answers: PlayedAnswers) {
  const part = hookOn(answers, useApiKeys);
  await expect.poll(() => part.get().list.loading).toBe(false);
  return part;
}

test('K2.01 the text of a new key is shown until it is revoked, and is not kept in the list', async () => {
  let listed: ApiKey[] = [];
  const keys = await keysOn({
    'apiKey.list': () => listed,
    'apiKey.create': () => {
      listed = [key];
      return { ...key, key: 'art_secret' };
    },
    'apiKey.revoke': () => undefined,
  });
  expect(await keys.get().create({ name: 'Nightly', scopes: ['read'] })).not.toBeNull();
  expect(keys.get()).toMatchObject({ created: { key: 'art_secret' }, list: { value: [key] } });
  expect(keys.get().list.value?.[0]).not.toHaveProperty('key');
  listed = [{ ...key, revokedAt: '2026-01-16T09:00:00.000Z' }];
  expect(await keys.get().revoke(key.id)).toBe(true);
  expect(keys.get()).toMatchObject({ created: null, list: { value: listed } });
});

test('K2.01 a key whose answer is lost is in the list beside the problem, so that its owner can revoke it', async () => {
  let listed: ApiKey[] = [];
  const keys = await keysOn({
    'apiKey.list': () => listed,
    'apiKey.create': () => {
      listed = [key];
      return refuse('network')();
    },
  });
  expect(await keys.get().create({ name: 'Nightly', scopes: ['read'] })).toBeNull();
  await expect.poll(() => keys.get().list.value).toEqual([key]);
  expect(keys.get()).toMatchObject({ created: null, isBusy: false });
  expect(keys.get().problem).not.toBeNull();
});

test('K2.10 the last runs of the key that was opened last are shown, and none where they cannot be read', async () => {
  const runs = [{ runId: key.id, projectId: key.id, title: 'Notes', status: 'completed', from: '203.0.113.7', at: key.createdAt }];
  const reads: ((answer: unknown) => void)[] = [];
  const keys = await keysOn({ 'apiKey.list': () => [key], 'apiKey.runs': () => new Promise((resolve) => reads.push(resolve)) });
  keys.get().open('earlier');
  keys.get();
  await expect.poll(() => reads.length).toBe(1);
  keys.get().open(key.id);
  keys.get();
  await expect.poll(() => reads.length).toBe(2);
  reads[0]?.([]);
  await keys.data.invalidate([]);
  expect(keys.get()).toMatchObject({ openId: key.id, runs: null });
  reads[1]?.(runs);
  await expect.poll(() => keys.get()).toMatchObject({ openId: key.id, runs });
  keys.get().open(null);
  keys.get();
  keys.get().open(key.id);
  keys.get();
  await expect.poll(() => reads.length).toBe(3);
  reads[2]?.(Promise.reject(new PlayedProblem('network')));
  await expect.poll(() => keys.get()).toMatchObject({ openId: null, problem: { code: 'network' } });
});
