import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics } from '../../platform/metrics/metrics.ts';

/** Counts and times every request by its route. Unknown addresses share one label, so that strangers cannot create new ones. */
export function measureRequests(app: FastifyInstance, metrics: Pick<Metrics, 'requestEnded'>): void {
  app.addHook('onResponse', async (request, reply) => {
    metrics.requestEnded({ method: request.method, route: routeOf(request), status: reply.statusCode, ms: reply.elapsedTime });
  });
}

/** The path as in the contract: `/api/project/{id}`. */
export function routeOf(request: FastifyRequest): string {
  return (request.routeOptions.url ?? 'none').replace(/:(\w+)/g, '{$1}');
}
