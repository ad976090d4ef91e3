import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

type Tab = { url: string; visibilityState: string; postMessage: (message: object) => void; focus: () => void };

const code = await readFile(new URL('../../../public/push-worker.js', import.meta.url), 'utf8');
const message = { title: 'Question: Choose', body: 'Shop', tag: 'q', path: '/test-project?projectId=shop&question=q', questionId: 'q' };
const ended = { ...message, tag: 'e', path: '/test-project?projectId=shop', questionId: null };

/** The service worker in a browser with these tabs; `done` is what it has done, in order. */
async function workerWith(tabs: { path: string; isVisible?: boolean }[], browser = 'Chrome/141') {
  const done: unknown[] = [];
  const listeners = new Map<string, (event: object) => void>();
  const opened = tabs.map(
    ({ path, isVisible }): Tab => ({
      url: `https://artel.example${path}`,
      visibilityState: isVisible ? 'visible' : 'hidden',
      postMessage: (given) => done.push(['told', path, given]),
      focus: () => done.push(['focused', path]),
    }),
  );
  const self = {
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
    clients: { matchAll: async () => opened, openWindow: async (path: string) => done.push(['opened', path]) },
    registration: {
      showNotification: async (title: string, { tag, silent }: { tag: string; silent: boolean }) =>
        done.push(['shown', title, tag, silent]),
      getNotifications: async ({ tag }: { tag: string }) => [{ close: () => done.push(['closed', tag]) }],
    },
  };
  new Function('self', 'navigator', code)(self, { userAgent: `Mozilla/5.0 ${browser}` });
  const send = async (type: string, event: object) => {
    let work: unknown;
    listeners.get(type)?.({ ...event, waitUntil: (given: unknown) => (work = given) });
    await work;
    return done;
  };
  return {
    push: (given: object) => send('push', { data: { json: () => given } }),
    press: ({ path, questionId }: typeof ended | typeof message) =>
      send('notificationclick', { notification: { close: () => {}, data: { path, questionId } } }),
    handles: [...listeners.keys()],
  };
}

test('K8.07 a message is shown unless a project is in view; a browser that forbids silence shows it without a sound and closes it', async () => {
  const hidden = await workerWith([{ path: '/test-project' }, { path: '/privacy-policy', isVisible: true }]);
  expect(await hidden.push(message)).toEqual([['shown', message.title, 'q', false]]);
  const seen = [{ path: '/test-project?projectId=shop', isVisible: true }];
  expect(await (await workerWith(seen)).push(message)).toEqual([]);
  expect(await (await workerWith(seen, 'Firefox/145.0')).push(message)).toEqual([]);
  expect(await (await workerWith(seen, 'Version/18.0 Safari/605')).push(message)).toEqual([
    ['shown', message.title, 'q', true],
    ['closed', 'q'],
  ]);
});

test('K8.07 a press leads to the tab of the project, to any tab for a question, and opens one else', async () => {
  const [shop, bakery] = ['/test-project?projectId=shop', '/test-project?projectId=bakery'];
  const both = await workerWith([{ path: bakery }, { path: shop }]);
  expect(await both.press(message)).toEqual([
    ['told', shop, { questionId: 'q' }],
    ['focused', shop],
  ]);
  expect(await (await workerWith([{ path: bakery }, { path: shop }])).press(ended)).toEqual([['focused', shop]]);
  const other = await workerWith([{ path: '/privacy-policy' }, { path: bakery }]);
  expect(await other.press(message)).toEqual([
    ['told', bakery, { questionId: 'q' }],
    ['focused', bakery],
  ]);
  expect(await (await workerWith([{ path: bakery }])).press(ended)).toEqual([['opened', ended.path]]);
  expect(await (await workerWith([])).press(message)).toEqual([['opened', message.path]]);
});

test('K8.07 the worker answers no request of the page and keeps no copy of it', async () => {
  expect((await workerWith([])).handles.sort()).toEqual(['install', 'notificationclick', 'push']);
  expect(code).not.toMatch(/caches|fetch/);
});
