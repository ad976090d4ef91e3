import { expect, test } from 'vitest';
import { sampleOf } from '../support/amounts.ts';
import { endedPostgresLine } from '../support/faults/end-postgres-at.ts';
import { preload } from '../support/preload.ts';
import { signUp } from '../support/run-account.ts';
import { startServer } from '../support/start-server.ts';

/** The statements of a start: the lock and the database (1, 2), the migrations, what an earlier process has left, and the work queue. */
const statements = Array.from({ length: 28 }, (_, index) => index + 1);

test.each(sampleOf(statements, { some: 7 }))('R10.01 a server starts whose PostgreSQL dies at statement %i of the start', async (at) => {
  const env = { ARTEL_CLIENT: 'off', NODE_OPTIONS: preload('faults/end-postgres-at.ts'), END_POSTGRES_AT: String(at) };
  const server = await startServer({ env });
  try {
    expect(server.logs()).toContain(endedPostgresLine);
    expect((await (await signUp(server.url)).call('GET', '/project')).status).toBe(200);
  } finally {
    await server.stop();
  }
});
