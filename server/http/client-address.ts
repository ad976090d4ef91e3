import type { FastifyInstance } from 'fastify';
import { ApiError } from './api-error.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The address of the client. Fastify's `ip` is undefined once the client has gone, at any moment, which its type does not say. */
    address: string;
  }
}

/** Notes the address of each client before anything else is done for it. Nothing is done for one that has gone already. */
export function noteAddresses(app: FastifyInstance): void {
  app.decorateRequest('address', '');
  app.addHook('onRequest', async (request) => {
    const ip: string | undefined = request.ip;
    if (ip === undefined) throw new ApiError('bad_request');
    request.address = ip;
  });
}
