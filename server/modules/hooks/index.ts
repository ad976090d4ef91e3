import { type Handlers, type Member, paged } from '../../http/call.ts';
import type { Hooks } from './service.ts';

export { createHooks, type HooksOfServer } from './create-hooks.ts';
export type { EventSender } from './deliveries.ts';
/** The public functions of the module of hooks: events of projects that are sent to other programs. */
export { createDueEmails, type DueEmailsDeps } from './due-emails.ts';
export { eventTitle } from './event-title.ts';
export { callReceiver } from './send-hook.ts';
export { HookRefused, type Hooks } from './service.ts';
export type { EventAbout } from './tables.ts';
export { insertEventSql, type ToldEvent } from './tell-event.ts';

export function hookHandlers(hooks: Hooks): Pick<Handlers, Extract<keyof Handlers, `hook.${string}`>> {
  const keyOf = ({ user, params }: { user: Pick<Member, 'ownerId'>; params: { id: string; hookId: string } }) => {
    return { userId: user.ownerId, project: params.id, hookId: params.hookId };
  };
  return {
    'hook.list': ({ user, params }) => hooks.list(user.ownerId, params.id),
    'hook.create': ({ user, params, body }) => hooks.create(user.ownerId, params.id, body),
    'hook.update': (call) => hooks.update(keyOf(call), call.body),
    'hook.replaceSecret': (call) => hooks.replaceSecret(keyOf(call)),
    'hook.remove': (call) => hooks.remove(keyOf(call)),
    'hook.test': (call) => hooks.test(keyOf(call)),
    'hook.deliveries': (call) => paged(hooks.deliveries(keyOf(call), call.query)),
    'hook.resend': (call) => hooks.resend(keyOf(call), call.params.deliveryId),
  };
}
