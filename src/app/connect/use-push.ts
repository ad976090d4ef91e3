import { useState } from 'react';
import { type HookEvent, hookEvents } from '../../../contract/hook.ts';
import type { PushDevice } from '../../../contract/push.ts';
import type { Outcome } from '../../model/problem.ts';
import { done } from '../../model/problem.ts';
import { useServerData } from '../server-data/server-data-provider.tsx';
import { useMutation } from '../server-data/use-mutation.ts';
import { useLoad } from '../server-data/use-read.ts';
import type { PushBrowser } from './push-browser.ts';

type Browser = Pick<PushBrowser, 'support' | 'permission' | 'askPermission' | 'fingerprint' | 'subscribe' | 'unsubscribe'>;

/** The browsers of the account that are told of events, and this one among them. K8.06 */
export function usePush(browser: Browser) {
  const data = useServerData();
  const remote = useLoad('push.get', {}, async (call) => {
    const [push, fingerprint] = await Promise.all([call('push.get', {}), browser.fingerprint().catch(() => null)]);
    // By the fingerprint the server names this browser; null while it has no subscription.
    return push.ok ? { ok: true, value: { ...push.value, fingerprint, permission: browser.permission() } } : push;
  });
  /** Whether the browser's push service has refused the last subscription. */
  const [isServiceLost, setServiceLost] = useState(false);
  const { act, call, isBusy, problem } = useMutation({ invalidates: ['push.get'] });
  return {
    ...{ remote, isServiceLost, isBusy, problem },
    support: browser.support(),
    permission: remote.value?.permission ?? browser.permission(),
    /** Asks for the permission where there is none, subscribes, and adds this browser. */
    turnOn: () =>
      act<unknown>(async (): Promise<Outcome<unknown>> => {
        if ((await browser.askPermission()) !== 'granted') return done;
        const body = await browser.subscribe(remote.value?.publicKey ?? '').catch(() => null);
        setServiceLost(body === null);
        return body ? data.change('push.add', { body }) : done;
      }),
    /** Tells a browser of one event more or less. */
    toggle: ({ id, events }: PushDevice, event: HookEvent, isOn: boolean) => {
      const body = { events: hookEvents.filter((one) => (one === event ? isOn : events.includes(one))) };
      return call('push.update', { params: { deviceId: id }, body });
    },
    /** Removes a browser; this one also ends its subscription. */
    remove: ({ id, fingerprint }: PushDevice) =>
      act<unknown>(async () => {
        const answer = await data.change('push.remove', { params: { deviceId: id } });
        if (answer.ok && fingerprint === remote.value?.fingerprint) await browser.unsubscribe().catch(() => {});
        return answer;
      }),
  };
}

export type Push = ReturnType<typeof usePush>;
