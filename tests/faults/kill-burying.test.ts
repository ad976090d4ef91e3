import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CommandState } from '../../contract/command.ts';
import { transact } from '../../server/platform/database/prepared-statements.ts';
import { exhaustAttempts } from '../support/database/exhaust-attempts.ts';
import { untilLocked } from '../support/database/until-locked.ts';
import type { TestDatabase } from '../support/open-test-database.ts';
import { type RunAccount, signUp } from '../support/run-account.ts';
import { type ServerAmongOthers, startServerOnDatabase } from '../support/server-on-database.ts';
import { type ModelServer, startModelServer } from '../support/services/model-server.ts';
import type { TestServer } from '../support/start-server.ts';

let models: ModelServer;
let database: TestDatabase;
let server: ServerAmongOthers;
let next: TestServer | null;

beforeEach(async () => {
  next = null;
  models = await startModelServer();
  ({ database, server } = await startServerOnDatabase({ OPENAI_BASE_URL: models.url }));
});
afterEach(async () => {
  await next?.stop();
  await server.stop();
  await database.remove();
  await models.close();
});

const kinds = {
  run: {
    table: 'executions',
    begin: async (ann: RunAccount) => (await ann.start(await ann.pipeline('assistant', 'qa'), 'Go on')).id,
    read: async (ann: RunAccount, id: string) => ann.details(id),
  },
  command: {
    table: 'agent_commands',
    begin: async (ann: RunAccount) =>
      (await ann.call<CommandState>('POST', '/agentcommand/execute-async', { agentId: ann.agent('qa').id, request: 'Go on' })).body.id,
    read: async (ann: RunAccount, id: string) => (await ann.call<CommandState>('GET', `/agentcommand/status/${id}`)).body,
  },
};

test.each(['run', 'command'] as const)(
  'R23.01 a %s whose attempts are used up gets no more when its node is killed while it gives up',
  async (kind) => {
    const { table, begin, read } = kinds[kind];
    const ann = await signUp(server.url);
    models.answer({ kind: 'hang' });
    const id = await begin(ann);
    await models.call(1);
    await transact(database.pool, async (run) => {
      await run({ text: `SELECT FROM ${table} WHERE id = $1 FOR UPDATE`, values: [id] });
      await exhaustAttempts(database.pool);
      await untilLocked(database.pool, table);
      // The server gives the work up, and waits here for the lock of its row.
      await server.kill('SIGKILL');
    });
    models.answer({ kind: 'text', text: 'One attempt too many' });
    // As long after the kill as other nodes wait.
    await database.pool.query("UPDATE artel_queue.job SET heartbeat_on = now() - interval '1 minute' WHERE state = 'active'");
    next = await server.beside();
    const there = ann.at(next);
    await expect.poll(async () => (await read(there, id)).status).not.toMatch(/running|pending/);
    expect(await read(there, id)).toMatchObject({ status: 'failed', error: { code: 'attempts_exhausted' } });
    expect(models.calls).toHaveLength(1);
    const letters = async () => (await database.pool.query('SELECT FROM dead_letters')).rowCount;
    await expect.poll(letters).toBe(1);
  },
);
