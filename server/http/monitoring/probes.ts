import type { FastifyInstance } from 'fastify';
import type { Health } from '../../../contract/health.ts';

type ReadHealth = () => Promise<Health>;

/** The probes of orchestrators: the process is alive (`/live`), it can take requests (`/ready`), and its state (`/health`). */
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
