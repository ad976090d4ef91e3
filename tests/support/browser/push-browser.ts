import type { CDPSession, Page, Worker } from 'playwright/test';
import type { PushDeviceCreation } from '../../../contract/push.ts';

type Shown = { title: string; options: { body: string; tag: string; data: object } };

/**
 * The push messages of a page's browser. A headless Chromium has no push service and shows no notification: the subscription is that of `given`, and
 * what the service worker would show is collected. Registration, delivery and the worker itself are those of the browser.
 */
export async function subscribeBrowser(page: Page, { endpoint, keys }: Pick<PushDeviceCreation, 'endpoint' | 'keys'>): Promise<void> {
  await page.addInitScript(
    ({ endpoint, keys }) => {
      const storage = 'test-push';
      const read = () => JSON.parse(localStorage.getItem(storage) ?? '{}') as { permission?: NotificationPermission; key?: string };
      const write = (change: object) => localStorage.setItem(storage, JSON.stringify({ ...read(), ...change }));
      Object.defineProperty(Notification, 'permission', { get: () => read().permission ?? 'default' });
      Notification.requestPermission = async () => {
        const permission = new URLSearchParams(location.search).get('answer') === 'denied' ? 'denied' : 'granted';
        write({ permission });
        return permission;
      };
      const subscription = (key: string) => ({
        endpoint,
        options: {
          applicationServerKey: Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0)).buffer,
        },
        toJSON: () => ({ endpoint, keys }),
        unsubscribe: async () => {
          write({ key: undefined });
          return true;
        },
      });
      const current = () => {
        const { key } = read();
        return key === undefined ? null : (subscription(key) as unknown as PushSubscription);
      };
      PushManager.prototype.getSubscription = async () => current();
      PushManager.prototype.subscribe = async (options) => {
        write({ key: options?.applicationServerKey });
        return current() as PushSubscription;
      };
    },
    { endpoint, keys },
  );
}

/** The service worker of a page that gets push messages. */
export class PushWorker {
  readonly #worker: Worker;
  readonly #session: CDPSession;
  readonly #registration: Promise<string>;
  readonly #origin: string;

  private constructor(worker: Worker, session: CDPSession, origin: string) {
    this.#worker = worker;
    this.#session = session;
    this.#origin = origin;
    this.#registration = new Promise((resolve) => {
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => first && resolve(first.registrationId));
    });
  }

  /** The worker that a press in `page` has registered. */
  static async of(page: Page): Promise<PushWorker> {
    const context = page.context();
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    const push = new PushWorker(worker, await context.newCDPSession(page), `${new URL(page.url()).origin}/`);
    await push.#session.send('ServiceWorker.enable');
    await worker.evaluate(() => {
      const shown: unknown[] = [];
      const { registration } = self as unknown as ServiceWorkerGlobalScope;
      registration.showNotification = async (title, options) => void shown.push({ title, options });
      Object.assign(self, { shown });
    });
    return push;
  }

  /** Gives the worker a message, as the push service does. */
  async deliver(message: object): Promise<void> {
    const registrationId = await this.#registration;
    await this.#session.send('ServiceWorker.deliverPushMessage', { origin: this.#origin, registrationId, data: JSON.stringify(message) });
  }

  shown(): Promise<Shown[]> {
    return this.#worker.evaluate(() => (self as unknown as { shown: Shown[] }).shown);
  }

  /** Presses a notification. Returns the addresses of new tabs that it asks for. */
  press({ options: { data } }: Shown): Promise<string[]> {
    return this.#worker.evaluate(async (given) => {
      const worker = self as unknown as ServiceWorkerGlobalScope;
      const opened: string[] = [];
      worker.clients.openWindow = async (path) => {
        opened.push(String(path));
        return null;
      };
      let work: Promise<unknown> = Promise.resolve();
      const waitUntil = (promise: Promise<unknown>) => {
        work = promise;
      };
      self.dispatchEvent(Object.assign(new Event('notificationclick'), { notification: { close: () => {}, data: given }, waitUntil }));
      // Only a press of a person may give a tab the focus.
      await work.catch(() => undefined);
      return opened;
    }, data);
  }
}

type ServiceWorkerGlobalScope = {
  registration: { showNotification: (title: string, options: object) => Promise<void> };
  clients: { openWindow: (path: string) => Promise<null> };
};
