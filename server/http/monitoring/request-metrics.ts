import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics } from '../../platform/metrics/metrics.ts';

/** Counts and times every request by its route. Addresses that no route has share one name, so that strangers cannot make up new ones. */
export function measureRequests(app: FastifyInstance, metrics: Pick<Metrics, 'requestEnded'>): void {
  app.addHook('onResponse', async (request, reply) => {
    metrics.requestEnded({ method: request.method, route: routeOf(request), status: reply.statusCode, ms: reply.elapsedTime });
  });
}

/** As the contract writes it: `/api/project/{id}`. */
export function routeOf(request: FastifyRequest): string {
  return (request.routeOptions.url ?? 'none').replace(/:(\w+)/g, '{$1}');
}
