import { useState } from 'react';
import type { CreatedHook, HookCreation, HookDelivery, HookUpdate } from '../../../contract/hook.ts';
import { useMutation } from '../server-data/use-mutation.ts';
import { useOpenItem } from '../server-data/use-open-item.ts';
import { useRead } from '../server-data/use-read.ts';

/** The deliveries that are shown. */
const shown = 20;
/** The pause before a delivery under way is looked for again (ms). */
const lookAgainMs = 1_500;

/** The hooks of a project, and what changes them. K6.09 */
export function useHooks(projectId: string) {
  const params = { id: projectId };
  /** The hook that has got a secret last, with it. It is gone when the window closes. */
  const [created, setCreated] = useState<CreatedHook | null>(null);
  const { openId, open, ...deliveries } = useOpenItem(
    'hook.deliveries',
    (hookId) => ({ params: { ...params, hookId }, query: { limit: shown } }),
    { pauseMs: (list) => (isUnderWay(list) ? lookAgainMs : null) },
  );
  // The receiver of a delivery may be the cause of a change of its hook.
  const list = useRead('hook.list', { params }, { when: isUnderWay(deliveries.value) });
  const { call, remove, isBusy, problem } = useMutation({ invalidates: ['hook.list', 'hook.deliveries'], about: openId });
  return {
    ...{ list, created, openId, open, isBusy },
    deliveries: deliveries.value,
    problem: problem ?? deliveries.problem,
    /** After a lost answer the hook may be in the list, without its secret: it is then to be removed. */
    create: (body: HookCreation) => call('hook.create', { params, body }, setCreated),
    change: (hookId: string, body: HookUpdate) => call('hook.update', { params: { ...params, hookId }, body }),
    /** After a lost answer the list says whether the secret was replaced: another one is then to be made. */
    replaceSecret: (hookId: string) => call('hook.replaceSecret', { params: { ...params, hookId } }, setCreated),
    remove: (hookId: string) =>
      remove('hook.remove', { params: { ...params, hookId } }, () => {
        setCreated((hook) => (hook?.id === hookId ? null : hook));
        if (openId === hookId) open(null);
      }),
    /** Sends a test event, whose outcome is in the list of deliveries. */
    test: (hookId: string) => call('hook.test', { params: { ...params, hookId } }, () => openId === hookId || open(hookId)),
    resend: (hookId: string, deliveryId: string) => call('hook.resend', { params: { ...params, hookId, deliveryId } }),
  };
}

export type Hooks = ReturnType<typeof useHooks>;

/** Whether a first try is under way. */
function isUnderWay(deliveries: readonly HookDelivery[] | null): boolean {
  return deliveries?.some(({ status, attempt }) => status === 'pending' && attempt === 0) ?? false;
}
