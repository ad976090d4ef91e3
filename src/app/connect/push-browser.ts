import type { PushDeviceCreation } from '../../../contract/push.ts';
import { browserName, platformName } from '../login/browser-name.ts';

/** Whether a browser can be told of events. `install`: only an app of the home screen can; `insecure`: only a page of HTTPS. */
export type PushSupport = 'ready' | 'insecure' | 'install' | 'unsupported';

const workerPath = '/push-worker.js';

/** The push messages of this browser. */
export class PushBrowser {
  support(): PushSupport {
    if (!isSecureContext) return 'insecure';
    if ('serviceWorker' in navigator && 'PushManager' in window && typeof Notification !== 'undefined') return 'ready';
    // An iPad calls itself a Mac, and has a screen that is touched.
    const isApple = /^(iOS|macOS)$/.test(platformName(navigator.userAgent) ?? '');
    return isApple && navigator.maxTouchPoints > 1 ? 'install' : 'unsupported';
  }

  permission(): NotificationPermission {
    return typeof Notification === 'undefined' ? 'denied' : Notification.permission;
  }

  /** Asks the person, unless there is an answer already. */
  askPermission(): Promise<NotificationPermission> {
    return Notification.requestPermission();
  }

  /** SHA-256 of the endpoint of this browser's subscription, as the server shows it; null without one. */
  async fingerprint(): Promise<string | null> {
    if (this.support() !== 'ready') return null;
    const subscription = await this.#subscription();
    if (!subscription) return null;
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(subscription.endpoint));
    return toBase64Url(new Uint8Array(hash));
  }

  /** Subscribes at the browser's push service. Throws a `DOMException` when it is off or cannot be reached. */
  async subscribe(publicKey: string): Promise<PushDeviceCreation> {
    const { pushManager } = await navigator.serviceWorker.register(workerPath);
    await navigator.serviceWorker.ready;
    const before = await pushManager.getSubscription();
    const key = before?.options.applicationServerKey;
    const isOurs = key && toBase64Url(new Uint8Array(key)) === publicKey;
    // A subscription for another key of the server: its messages would be refused.
    if (!isOurs) await before?.unsubscribe();
    const subscription = isOurs ? before : await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
    const { keys } = subscription?.toJSON() ?? {};
    const name = [browserName(navigator.userAgent), platformName(navigator.userAgent)].filter((part) => part !== null).join(', ');
    return {
      endpoint: subscription?.endpoint ?? '',
      keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' },
      name: name || navigator.userAgent.slice(0, 100) || '?',
    };
  }

  async unsubscribe(): Promise<void> {
    await (await this.#subscription())?.unsubscribe();
  }

  async #subscription(): Promise<PushSubscription | null> {
    const registration = await navigator.serviceWorker.getRegistration(workerPath);
    return (await registration?.pushManager.getSubscription()) ?? null;
  }
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
