import { type HookEvent, hookEvents } from '../../../contract/hook.ts';
import type { PushDevice, PushState } from '../../../contract/push.ts';
import type { Api } from '../../api/create-api.ts';
import { ApiStore } from '../api-list/api-store.ts';
import type { PushBrowser, PushSupport } from './push-browser.ts';

type DeviceState = {
  support: PushSupport;
  permission: NotificationPermission;
  push: PushState;
  /** By what the server names this browser; null while it has no subscription. */
  fingerprint: string | null;
  /** Whether the browser's push service has refused the last subscription. */
  isServiceLost: boolean;
};

/** The browsers of the account that are told of events, and this one among them. K8.06 */
export class PushStore extends ApiStore<DeviceState> {
  readonly #browser: PushBrowser;

  constructor(api: Api, browser: PushBrowser) {
    const push: PushState = { publicKey: '', devices: [] };
    super(api, { support: browser.support(), permission: browser.permission(), push, fingerprint: null, isServiceLost: false });
    this.#browser = browser;
  }

  load(): Promise<boolean> {
    return this.attempt(() => this.#read());
  }

  /** Asks for the permission where there is none, subscribes, and adds this browser. */
  turnOn(): Promise<boolean> {
    return this.attempt(async () => {
      const permission = await this.#browser.askPermission();
      this.show({ permission });
      if (permission !== 'granted') return;
      const body = await this.#browser.subscribe(this.get().push.publicKey).catch(() => null);
      this.show({ isServiceLost: body === null });
      if (!body) return;
      await this.api.call('push.add', { body });
      await this.#read();
    });
  }

  /** Tells a browser of one event more or less. */
  toggle({ id, events }: PushDevice, event: HookEvent, isOn: boolean): Promise<boolean> {
    return this.attempt(async () => {
      const body = { events: hookEvents.filter((one) => (one === event ? isOn : events.includes(one))) };
      await this.api.call('push.update', { params: { deviceId: id }, body });
      await this.#read();
    });
  }

  /** Removes a browser; this one also ends its subscription. */
  remove({ id, fingerprint }: PushDevice): Promise<boolean> {
    return this.attempt(async () => {
      await this.api.call('push.remove', { params: { deviceId: id } });
      if (fingerprint === this.get().fingerprint) await this.#browser.unsubscribe().catch(() => {});
      await this.#read();
    });
  }

  async #read(): Promise<void> {
    const [push, fingerprint] = await Promise.all([this.api.call('push.get', {}), this.#browser.fingerprint().catch(() => null)]);
    this.show({ push, fingerprint, permission: this.#browser.permission(), status: 'ready' });
  }
}
