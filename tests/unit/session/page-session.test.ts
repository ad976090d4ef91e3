import { afterEach, expect, test, vi } from 'vitest';

const origin = 'https://artel.example';
const spare = 'https://spare.example';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.resetModules();
  vi.useRealTimers();
});

/** A page on which nothing has started, and the URLs that it requests; those in `healthy` answer. */
async function freshPage(healthy: readonly string[]) {
  const asked: string[] = [];
  const read: string[] = [];
  const deaf = { addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubEnv('VITE_API_FALLBACK', `${spare}/api`);
  vi.stubGlobal('location', { origin });
  vi.stubGlobal('localStorage', {
    getItem(key: string) {
      read.push(key);
      return null;
    },
  });
  vi.stubGlobal('document', { ...deaf, visibilityState: 'visible' });
  vi.stubGlobal('addEventListener', deaf.addEventListener);
  vi.stubGlobal('removeEventListener', deaf.removeEventListener);
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address);
    return new Response('', { status: healthy.includes(new URL(address).origin) ? 200 : 503 });
  });
  const { startPageSession } = await import('../../../src/session/page-session.ts');
  return { start: () => startPageSession(() => undefined), asked, read };
}

test('P4.01 P4.07 a server is picked at start-up, before any call: the second one where the first is not well', async () => {
  const { start, asked } = await freshPage([spare]);
  const page = start();
  expect(asked).toEqual([]);
  const stop = page.begin();
  expect(asked).toEqual([`${origin}/health`]);
  expect(await page.apiBase()).toBe(`${spare}/api`);
  stop();
  const later = start();
  later.begin()();
  expect(await later.apiBase()).toBe(`${spare}/api`);
  expect(asked).toEqual([`${origin}/health`, `${spare}/health`]);
});

test('P4.07 the first server is kept if neither server is well', async () => {
  const { start, asked } = await freshPage([]);
  const page = start();
  page.begin()();
  expect(await page.apiBase()).toBe(`${origin}/api`);
  expect(asked).toHaveLength(2);
});

test('P4.01 the storage is read 100 ms after the page was mounted, and not at all if the page is unmounted before', async () => {
  vi.useFakeTimers();
  const { start, read } = await freshPage([origin]);
  start().begin()();
  start().begin();
  vi.advanceTimersByTime(99);
  expect(read).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(read).toEqual(['accessToken', 'refreshToken']);
});
