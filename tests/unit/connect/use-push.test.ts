import { expect, test } from 'vitest';
import { hookEvents } from '../../../contract/hook.ts';
import type { PushDevice, PushDeviceCreation, PushState } from '../../../contract/push.ts';
import type { PushBrowser } from '../../../src/app/connect/push-browser.ts';
import { usePush } from '../../../src/app/connect/use-push.ts';
import { hookOn, refuse } from '../../support/played-data.ts';

const creation: PushDeviceCreation = { endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' }, name: 'Chrome' };
const device: PushDevice = {
  id: 'd',
  name: 'Chrome',
  events: [...hookEvents],
  addedAt: '2026-01-15T09:00:00.000Z',
  fingerprint: 'own',
  refusal: null,
};

/** What the part shows, the server that it calls, and the browser that it is in. */
async function opened() {
  const server = { devices: [] as PushDevice[], refusal: null as string | null };
  const browser = {
    permission: 'default' as NotificationPermission,
    answer: 'granted' as NotificationPermission,
    subscribed: '',
    isLost: false,
  };
  const answers = {
    'push.get': (): PushState => ({ publicKey: 'key', devices: server.devices }),
    'push.add': () => {
      if (server.refusal) refuse(server.refusal)();
      server.devices = [device];
    },
    'push.remove': () => {
      server.devices = [];
    },
    'push.update': ({ body }: { body?: object }) => {
      server.devices = [{ ...device, ...body }];
    },
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
  const part = hookOn(answers, () => usePush(played));
  await expect.poll(() => part.get().remote.loading).toBe(false);
  return { server, browser, push: part.get, calls: part.calls };
}

test('K8.06 the switch asks for the permission, subscribes with the key of the server, and ends the subscription again', async () => {
  const { server, browser, push } = await opened();
  await push().turnOn();
  expect([browser.subscribed, push().permission, push().remote.value?.fingerprint]).toEqual(['key', 'granted', 'own']);
  expect(push().remote.value?.devices).toEqual([device]);
  await push().toggle(device, 'published', false);
  expect(server.devices[0]?.events).toEqual(['run.ended', 'question.opened', 'budget.reached']);
  await push().remove(device);
  expect([browser.subscribed, push().remote.value?.devices, push().remote.value?.fingerprint]).toEqual(['', [], null]);
});

test('K8.06 a denied permission and a lost push service are told, and nothing is added', async () => {
  const { server, browser, push, calls } = await opened();
  browser.answer = 'denied';
  await push().turnOn();
  expect(push()).toMatchObject({ permission: 'denied', isServiceLost: false, isBusy: false });
  Object.assign(browser, { answer: 'granted', isLost: true });
  await push().turnOn();
  expect(push()).toMatchObject({ permission: 'granted', isServiceLost: true });
  expect(calls).not.toContain('push.add');
  browser.isLost = false;
  server.refusal = 'hook_refused';
  await push().turnOn();
  expect(push()).toMatchObject({ isServiceLost: false, problem: { code: 'hook_refused' } });
});

test('K8.06 another browser is removed without the subscription of this one', async () => {
  const { browser, push, calls } = await opened();
  await push().turnOn();
  await push().remove({ ...device, id: 'e', fingerprint: 'another' });
  expect([calls.includes('push.remove'), browser.subscribed]).toEqual([true, 'key']);
});
