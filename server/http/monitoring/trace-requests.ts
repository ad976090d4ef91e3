import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Traces } from '../../platform/traces/traces.ts';
import { routeOf } from './request-metrics.ts';

/** Probes of machines every few seconds, which are not traced. */
const untraced = new Set(['/live', '/ready', '/health', '/metrics']);

/** Creates a span for every request. */
export function traceRequests(app: FastifyInstance, traces: Pick<Traces, 'request'>): void {
  const endings = new WeakMap<FastifyRequest, (status: number) => void>();
  app.addHook('onRequest', async (request) => {
    const route = routeOf(request);
    if (untraced.has(route)) return;
    const { traceparent } = request.headers;
    const caller = typeof traceparent === 'string' ? traceparent : undefined;
    endings.set(request, traces.request({ method: request.method, route, requestId: request.id, traceparent: caller }));
  });
  app.addHook('onResponse', async (request, reply) => endings.get(request)?.(reply.statusCode));
}
