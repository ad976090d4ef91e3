import { endOf, startOf } from '../../../contract/day.ts';
import { type Handlers, paged } from '../../http/call.ts';
import type { LeadFilter, Page } from './repository.ts';
import type { Leads } from './service.ts';

type LeadHandlers = Pick<Handlers, Extract<keyof Handlers, `lead.${string}`>>;

export function leadHandlers(leads: Leads): LeadHandlers {
  const listed = async (filter: LeadFilter, page: Page) => {
    const { items, total } = await leads.list(filter, page);
    return paged(items, total);
  };
  return {
    'lead.create': ({ body }) => leads.create(body),
    'lead.list': ({ query }) => listed({}, query),
    'lead.get': ({ params }) => leads.get(params.id),
    'lead.update': ({ params, body }) => leads.update(params.id, given(body)),
    'lead.remove': async ({ params }) => {
      await leads.remove(params.id);
      return undefined;
    },
    'lead.byStatus': ({ params, query }) => listed({ status: params.status }, query),
    'lead.bySource': ({ params, query }) => listed({ source: params.source }, query),
    'lead.byPriority': ({ params, query }) => listed({ priority: params.priority }, query),
    'lead.byDate': ({ query }) => listed({ from: new Date(startOf(query.startDate)), before: new Date(endOf(query.endDate)) }, query),
    'lead.setStatus': ({ params, body }) => leads.update(params.id, { status: body.status }),
    'lead.addComment': ({ user, params, body, storeIdempotentResponse }) =>
      leads.addComment(user.id, params.id, body.text, storeIdempotentResponse),
    'lead.comments': async ({ params, query }) => {
      const { items, total } = await leads.comments(params.id, query);
      return paged(items, total);
    },
  };
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Returns the fields that were sent. */
function given<T extends object>(body: T): Given<T> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as Given<T>;
}
