import type { FastifyReply } from 'fastify';
import { validate } from 'uuid';
import { type Handlers, type Member, paged } from '../../http/call.ts';
import type { Thoughts } from './service.ts';
import { streamThoughts, type ThoughtStreamDeps } from './thought-stream.ts';

type ThoughtHandlers = Pick<Handlers, Extract<keyof Handlers, `thought.${string}`>>;

export function thoughtHandlers(thoughts: Thoughts, deps: Omit<ThoughtStreamDeps, 'after'>): ThoughtHandlers {
  const streaming = { ...deps, after: thoughts.after };

  /** Answers with the event stream for a client that accepts events, else with the stream's address. */
  const follow = async (user: Member, reply: FastifyReply, what: Parameters<Thoughts['followed']>[1]) => {
    const filter = await thoughts.followed(user.ownerId, what);
    const { headers, url } = reply.request;
    if (!headers.accept?.includes('text/event-stream')) {
      const { subject, webSocket } = thoughts.busStatus(user.ownerId);
      return { subject, webSocket, events: url.split('?')[0] ?? url };
    }
    const stream = streamThoughts(streaming, user, filter, lastEventId(headers['last-event-id']));
    reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no');
    return stream;
  };

  return {
    'thought.publish': ({ user, body, storeIdempotentResponse }) => thoughts.publish(user.ownerId, body, storeIdempotentResponse),
    'thought.busStatus': async ({ user }) => thoughts.busStatus(user.ownerId),
    'thought.followAgent': ({ user, params, reply }) => follow(user, reply, { agentId: params.agentId }),
    'thought.followProject': ({ user, params, reply }) => follow(user, reply, { projectId: params.id }),
    'thought.followUser': ({ user, params, reply }) => follow(user, reply, { userId: params.id }),
    'thought.followGlobal': ({ user, reply }) => follow(user, reply, null),
    'thought.test': ({ user, params, language }) => thoughts.test(user.ownerId, params.id, language),
    'thought.ofAgent': ({ user, params, query }) => paged(thoughts.ofAgent(user.ownerId, params.id, query)),
    'thought.ofProject': ({ user, params, query }) => paged(thoughts.ofProject(user.ownerId, params.id, query)),
    'thought.ofUser': ({ user, params, query }) => paged(thoughts.ofUser(user.ownerId, params.id, query)),
    'thought.all': ({ user, query }) => paged(thoughts.all(user.ownerId, query)),
  };
}

/** Returns the last event id of a returning client; null for a malformed one. */
function lastEventId(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && validate(header) ? header : null;
}
