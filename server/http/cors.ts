import type { FastifyInstance, FastifyRequest } from 'fastify';

export type OriginRule = { publicUrl: string | null; allowedOrigins: readonly string[] };

const allowedHeaders = 'authorization, content-type, accept-language, idempotency-key, last-event-id, x-client-id';
const exposedHeaders = 'x-total-count, x-request-id, retry-after';

/** Whether a page of this origin may call the API: the server's own origin, or exactly one of those that the operator has allowed. */
export function originAllowed(request: Pick<FastifyRequest, 'headers' | 'protocol' | 'host'>, rule: OriginRule): boolean {
  const { origin } = request.headers;
  if (origin === undefined) return true;
  return origin === `${request.protocol}://${request.host}` || origin === rule.publicUrl || rule.allowedOrigins.includes(origin);
}

/** Answers preflight requests and allows the configured origins. Tokens travel in headers: credentials are never allowed. */
export function allowOrigins(app: FastifyInstance, rule: OriginRule): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!request.url.toLowerCase().startsWith('/api') && !request.url.startsWith('/health')) return;
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    const allowed = originAllowed(request, rule);
    if (origin !== undefined && allowed) {
      reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', exposedHeaders);
    }
    if (request.method !== 'OPTIONS') return;
    if (allowed) {
      reply
        .header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE, OPTIONS')
        .header('access-control-allow-headers', allowedHeaders)
        .header('access-control-max-age', '600');
    }
    return reply.status(204).send();
  });
}
