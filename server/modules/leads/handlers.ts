import { endOf, startOf } from '../../../contract/day.ts';
import { type Handlers, paged } from '../../http/call.ts';
import type { LeadFilter, Page } from './repository.ts';
import type { Leads } from './service.ts';

type LeadHandlers = Pick<Handlers, Extract<keyof Handlers, `lead.${string}`>>;

export function leadHandlers(leads: Leads): LeadHandlers {
  const listed = (filter: LeadFilter, page: Page) => paged(leads.list(filter, page));
  return {
    'lead.create': ({ body }) => leads.create(body),
    'lead.list': ({ query }) => listed({}, query),
    'lead.get': ({ params }) => leads.get(params.id),
    'lead.update': ({ params, body }) => leads.update(params.id, given(body)),
    'lead.remove': ({ params }) => leads.remove(params.id),
    'lead.byStatus': ({ params, query }) => listed({ status: params.status }, query),
    'lead.bySource': ({ params, query }) => listed({ source: params.source }, query),
    'lead.byPriority': ({ params, query }) => listed({ priority: params.priority }, query),
    'lead.byDate': ({ query }) => listed({ from: new Date(startOf(query.startDate)), before: new Date(endOf(query.endDate)) }, query),
    'lead.setStatus': ({ params, body }) => leads.update(params.id, { status: body.status }),
    'lead.addComment': ({ user, params, body, storeIdempotentResponse }) =>
      leads.addComment(user.id, params.id, body.text, storeIdempotentResponse),
    'lead.comments': ({ params, query }) => paged(leads.comments(params.id, query)),
  };
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Returns the fields that were sent. */
function given<T extends object>(body: T): Given<T> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as Given<T>;
}
