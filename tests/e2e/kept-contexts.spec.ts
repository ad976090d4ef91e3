import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page } from 'playwright/test';
import { test } from '../support/browser/browser-test.ts';

/** A site of one page and one script. `asked`: the paths of its requests. */
let site: Server;
let url: string;
const asked: string[] = [];
test.beforeAll(async () => {
  site = createServer(({ url: path = '' }, response) => {
    asked.push(path);
    const isScript = path === '/script.js';
    response.setHeader('cache-control', isScript ? 'public, max-age=31536000, immutable' : 'no-cache');
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? 'window.isLoaded = true;' : '<!doctype html><title>Site</title><script src="/script.js"></script>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
test.afterAll(async () => {
  site.closeAllConnections();
  await new Promise((resolve) => site.close(resolve));
});

/** What a test can leave behind, as the page sees it. */
const found = (page: Page) =>
  page.evaluate(async () => ({
    cookies: document.cookie,
    kept: localStorage.length,
    databases: (await indexedDB.databases()).length,
    caches: await caches.keys(),
    clipboard: (await navigator.permissions.query({ name: 'clipboard-read' as PermissionName })).state,
    isDark: matchMedia('(prefers-color-scheme: dark)').matches,
    answer: await fetch('/data').then(
      ({ status }) => status,
      () => 'none',
    ),
  }));

test('a kept context has the loaded files of an earlier test, and nothing that the test stored, allowed, routed or switched off', async ({
  keptContexts,
  contextSettings,
}) => {
  const first = await keptContexts.take(contextSettings);
  const { context } = first;
  const [page = await context.newPage()] = context.pages();
  await page.goto(url);
  const before = await found(page);
  expect(before).toMatchObject({ cookies: '', kept: 0, databases: 0, caches: [], isDark: false, answer: 200 });
  await page.evaluate(async () => {
    localStorage.setItem('left', '1');
    await caches.open('left');
    await new Promise((resolve, reject) => {
      const opening = indexedDB.open('left');
      opening.onsuccess = resolve;
      opening.onerror = reject;
    });
  });
  await context.addCookies([{ name: 'left', value: '1', url }]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await context.grantPermissions(['clipboard-read']);
  await context.route('**/data', (route) => route.abort());
  const after = { cookies: 'left=1', kept: 1, databases: 1, caches: ['left'], clipboard: 'granted', isDark: true, answer: 'none' };
  expect(await found(page)).toEqual(after);
  await context.setOffline(true);
  await keptContexts.leave(first, { hasFailed: false });
  expect(page.isClosed()).toBe(true);

  const second = await keptContexts.take(contextSettings);
  expect(second.context).toBe(context);
  const [next = await context.newPage()] = context.pages();
  await next.goto(url);
  expect(await next.evaluate(() => 'isLoaded' in window)).toBe(true);
  expect(await found(next)).toEqual(before);
  expect(asked.filter((path) => path === '/script.js')).toHaveLength(1);
  await keptContexts.leave(second, { hasFailed: false });
});

test('a context is not kept after a failed test, nor one that has a script, a binding or the clock of a test', async ({
  keptContexts,
  contextSettings,
}) => {
  const contexts = new Set();
  for (const spend of ['failure', 'script', 'binding', 'clock', 'nothing', 'nothing'] as const) {
    const kept = await keptContexts.take(contextSettings);
    contexts.add(kept.context);
    if (spend === 'script') await kept.context.addInitScript(() => {});
    if (spend === 'binding') await kept.context.exposeBinding('note', () => {});
    if (spend === 'clock') await kept.context.pages()[0]?.clock.install();
    await keptContexts.leave(kept, { hasFailed: spend === 'failure' });
  }
  expect(contexts.size).toBe(5);
});
