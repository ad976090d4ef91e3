import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';
import { onResponseEnd } from './on-response-end.ts';

/** The reason of a call that ended because its client has gone. No client reads this answer: it is only logged. */
export class ClientGone extends ApiError {
  constructor() {
    super('bad_request', { details: { reason: 'client_gone' } });
  }
}

/** Returns a signal that aborts when the connection closes before the answer has been sent. */
export function clientSignal(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  onResponseEnd(request, reply, () => {
    if (!reply.raw.writableFinished) gone.abort(new ClientGone());
  });
  return gone.signal;
}
