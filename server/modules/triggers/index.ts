import { type Handlers, type Member, paged } from '../../http/call.ts';
import type { Triggers } from './service.ts';

/** The public functions of the module of triggers: webhooks and schedules that start runs of released teams. */
export { createTriggers, type TriggersOfServer } from './create-triggers.ts';
export { createIssueOfRun } from './forge/issue-of-run.ts';
export { removeOldForgeWork } from './forge/remove-old.ts';
export { receiveWebhooks } from './receive-webhook.ts';
export { retriableInstants } from './schedule-clock.ts';
export type { Triggers } from './service.ts';

export function triggerHandlers(triggers: Triggers): Pick<Handlers, Extract<keyof Handlers, `trigger.${string}`>> {
  const keyOf = ({ user, params }: { user: Pick<Member, 'ownerId'>; params: { id: string; triggerId: string } }) => {
    return { userId: user.ownerId, project: params.id, triggerId: params.triggerId };
  };
  return {
    'trigger.list': ({ user, params }) => triggers.list(user.ownerId, params.id),
    'trigger.create': ({ user, params, body, language, storeIdempotentResponse }) =>
      triggers.create(user, params.id, body, language, storeIdempotentResponse),
    'trigger.preview': ({ query, language }) => triggers.preview(query.cron, query.zone, language),
    'trigger.get': (call) => triggers.get(keyOf(call)),
    'trigger.update': (call) => triggers.update(keyOf(call), call.body, call.language),
    'trigger.remove': (call) => triggers.remove(keyOf(call)),
    'trigger.renewSecret': (call) => triggers.renewSecret(keyOf(call), call.language),
    'trigger.fires': (call) => paged(triggers.fires(keyOf(call), call.query)),
    'trigger.again': (call) => triggers.again(keyOf(call), call.params.key, call.storeIdempotentResponse),
    'trigger.try': (call) => triggers.try(keyOf(call), call.body),
  };
}
