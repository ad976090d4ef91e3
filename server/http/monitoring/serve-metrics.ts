import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { ApiError } from '../api-error.ts';
import { isLocalRequest } from '../is-local-request.ts';

export type MetricsRule = { metrics: 'loopback' | 'on' | 'off'; metricsToken: string | null; publicUrl: string | null };

/**
 * Serves `/metrics` for Prometheus. A configured token is required; without one, only programs on this machine may read, or all callers
 * where the operator allows it. Other callers get 404.
 */
export function serveMetrics(app: FastifyInstance, metrics: Pick<Metrics, 'read'>, rule: MetricsRule): void {
  if (rule.metrics === 'off') return;
  app.get('/metrics', { logLevel: 'warn' }, async (request, reply) => {
    if (!mayRead(request, rule)) throw new ApiError('not_found');
    const { type, text } = await metrics.read();
    return reply.header('cache-control', 'no-store').type(type).send(text);
  });
}

function mayRead(request: FastifyRequest, rule: MetricsRule): boolean {
  if (rule.metricsToken !== null) return isToken(request.headers.authorization, rule.metricsToken);
  return rule.metrics === 'on' || isLocalRequest(request, rule);
}

function isToken(header: string | undefined, token: string): boolean {
  const [given, expected] = [Buffer.from(header ?? ''), Buffer.from(`Bearer ${token}`)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

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
