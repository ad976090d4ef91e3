import type { FastifyInstance } from 'fastify';
import type { Health } from '../../../contract/health.ts';

export type ReadHealth = () => Promise<Health>;

/** What orchestrators ask: alive at all (`/live`), fit to be sent requests (`/ready`), and how it is (`/health`). */
export function mountProbes(app: FastifyInstance, readHealth: ReadHealth): void {
  const options = { logLevel: 'warn' } as const;
  app.get('/live', options, async () => ({ status: 'ok' }));
  for (const path of ['/ready', '/health']) {
    app.get(path, options, async (_request, reply) => {
      const health = await readHealth();
      return reply
        .status(health.status === 'ok' ? 200 : 503)
        .header('cache-control', 'no-store')
        .send(health);
    });
  }
}
