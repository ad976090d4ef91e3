import { expect, test } from 'vitest';
import { createSessionCache, type OpenSession } from '../../../../server/modules/auth/session-cache.ts';

const at = Date.UTC(2026, 0, 1);
const openSession = (expiresAt = at + 60_000) => ({ user: { id: 'u' }, expiresAt: new Date(expiresAt) }) as OpenSession;

/** A cache whose reads are counted. */
function stage(load: () => Promise<OpenSession | null> = async () => openSession()) {
  const cache = createSessionCache();
  let reads = 0;
  const read = (now = at) =>
    cache.read('s', now, () => {
      reads += 1;
      return load();
    });
  return { cache, read, reads: () => reads };
}

test('P4.05 an open session is read once a second at most', async () => {
  const { read, reads } = stage();
  for (let ms = 0; ms < 1_000; ms += 100) expect((await read(at + ms))?.user.id).toBe('u');
  expect(reads()).toBe(1);
  await read(at + 1_000);
  expect(reads()).toBe(2);
});

test('P4.05 a session that was read before or during a change is not cached', async () => {
  const { cache, read, reads } = stage();
  await read();
  cache.clear();
  await read();
  expect(reads()).toBe(2);

  let answer: (session: OpenSession) => void = () => {};
  const slow = stage(() => new Promise((resolve) => (answer = resolve)));
  const reading = slow.read();
  slow.cache.clear();
  answer(openSession());
  await reading;
  const again = slow.read();
  answer(openSession());
  await again;
  expect(slow.reads()).toBe(2);
});

test('P4.05 an ended session is not cached, and an expiring session is closed on time', async () => {
  const ended = stage(async () => null);
  expect([await ended.read(), await ended.read(), ended.reads()]).toEqual([null, null, 2]);
  const expiring = stage(async () => openSession(at + 500));
  await expiring.read();
  expect(await expiring.read(at + 500)).toBeNull();
});

test('P4.05 R23.01 a clock that goes back does not keep a session', async () => {
  const { read, reads } = stage();
  await read();
  await read(at - 86_400_000);
  expect(reads()).toBe(2);
});
