import { expect, test } from 'vitest';
import { hookEvents } from '../../../contract/hook.ts';
import type { PushDevice, PushDeviceCreation, PushState } from '../../../contract/push.ts';
import { ApiError } from '../../../src/api/api-error.ts';
import type { Api } from '../../../src/api/create-api.ts';
import type { PushBrowser } from '../../../src/app/connect/push-browser.ts';
import { PushStore } from '../../../src/app/connect/push-store.ts';

const creation: PushDeviceCreation = { endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' }, name: 'Chrome' };
const device: PushDevice = {
  id: 'd',
  name: 'Chrome',
  events: [...hookEvents],
  addedAt: '2026-01-15T09:00:00.000Z',
  fingerprint: 'own',
  refusal: null,
};

/** A store, the server that it calls, and the browser that it is in. */
function opened() {
  const server = { devices: [] as PushDevice[], calls: [] as string[], refusal: null as ApiError | null };
  const browser = {
    permission: 'default' as NotificationPermission,
    answer: 'granted' as NotificationPermission,
    subscribed: '',
    isLost: false,
  };
  const call = async (name: string, { body }: { body?: object } = {}): Promise<unknown> => {
    server.calls.push(name);
    if (name === 'push.get') return { publicKey: 'key', devices: server.devices } satisfies PushState;
    if (server.refusal) throw server.refusal;
    if (name === 'push.add') server.devices = [device];
    if (name === 'push.remove') server.devices = [];
    if (name === 'push.update') server.devices = [{ ...device, ...body }];
    return undefined;
  };
  const played: Pick<PushBrowser, 'support' | 'permission' | 'askPermission' | 'fingerprint' | 'subscribe' | 'unsubscribe'> = {
    support: () => 'ready',
    permission: () => browser.permission,
    askPermission: async () => {
      browser.permission = browser.answer;
      return browser.permission;
    },
    fingerprint: async () => (browser.subscribed === '' ? null : 'own'),
    subscribe: async (publicKey) => {
      if (browser.isLost) throw new DOMException('Registration failed', 'AbortError');
      browser.subscribed = publicKey;
      return creation;
    },
    unsubscribe: async () => {
      browser.subscribed = '';
    },
  };
  return { server, browser, store: new PushStore({ call } as unknown as Api, played as PushBrowser) };
}

test('K8.06 the switch asks for the permission, subscribes with the key of the server, and ends the subscription again', async () => {
  const { server, browser, store } = opened();
  await store.load();
  await store.turnOn();
  expect([browser.subscribed, store.get().permission, store.get().fingerprint]).toEqual(['key', 'granted', 'own']);
  expect(store.get().push.devices).toEqual([device]);
  await store.toggle(device, 'published', false);
  expect(server.devices[0]?.events).toEqual(['run.ended', 'question.opened', 'budget.reached']);
  await store.remove(device);
  expect([browser.subscribed, store.get().push.devices, store.get().fingerprint]).toEqual(['', [], null]);
});

test('K8.06 a denied permission and a lost push service are told, and nothing is added', async () => {
  const { server, browser, store } = opened();
  await store.load();
  browser.answer = 'denied';
  await store.turnOn();
  expect(store.get()).toMatchObject({ permission: 'denied', isServiceLost: false, isBusy: false });
  Object.assign(browser, { answer: 'granted', isLost: true });
  await store.turnOn();
  expect(store.get()).toMatchObject({ permission: 'granted', isServiceLost: true });
  expect(server.calls).not.toContain('push.add');
  browser.isLost = false;
  server.refusal = new ApiError({ status: 422, code: 'hook_refused', message: 'Ten at most' });
  await store.turnOn();
  expect(store.get()).toMatchObject({ isServiceLost: false, problem: { code: 'hook_refused' } });
});

test('K8.06 another browser is removed without the subscription of this one', async () => {
  const { server, browser, store } = opened();
  await store.load();
  await store.turnOn();
  await store.remove({ ...device, id: 'e', fingerprint: 'another' });
  expect([server.calls.includes('push.remove'), browser.subscribed]).toEqual([true, 'key']);
});
