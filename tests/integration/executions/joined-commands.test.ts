import { expect, test } from 'vitest';
import type { CommandState } from '../../../contract/command.ts';
import type { ExecutionStatus, StepStatus } from '../../../contract/executions/execution.ts';
import { settleJoined } from '../../../server/modules/commands/joined-commands.ts';
import type { Db } from '../../../server/platform/database/database.ts';
import { sql } from '../../../server/platform/database/drizzle.ts';
import { setUpAccount, setUpModelServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const { database, server } = setUpServerOnDatabase(() => ({ OPENAI_BASE_URL: models.url }));
const ann = setUpAccount(server);

const rollback = new Error('The transaction is rolled back.');
const failure = { code: 'model_unavailable', message: 'Away' } as const;

/** Stores a command that has joined the only step of a completed run. */
async function joinedCommand(): Promise<{ id: string; executionId: string }> {
  const run = await ann.start(await ann.pipeline('qa'), 'Join me');
  await ann.until(run.id, ({ status }) => status === 'completed');
  const body = { agentId: ann.agent('qa').id, request: 'Join', parameters: { executionId: run.id } };
  const { id } = (await ann.call<CommandState>('POST', '/agentcommand/execute-async', body)).body;
  return { id, executionId: run.id };
}

/** Settles the command in a transaction that is rolled back, so that the server does not settle it first. */
async function settled(id: string, prepare: (tx: Db) => Promise<unknown>) {
  let after: Awaited<ReturnType<typeof settleJoined>> = [];
  const at = new Date('2026-11-26T10:00:00Z');
  await database.db
    .transaction(async (tx) => {
      await tx.execute(
        sql`UPDATE agent_commands SET status = 'pending', result = NULL, started_at = NULL, completed_at = NULL WHERE id = ${id}`,
      );
      await prepare(tx);
      after = await settleJoined(tx, sql`joined.id = ${id}`, at);
      expect(await settleJoined(tx, sql`joined.id = ${id}`, at)).toEqual([]);
      throw rollback;
    })
    .catch((error: unknown) => {
      if (error !== rollback) throw error;
    });
  return { row: after[0] ?? null, at };
}

const ending = { executionTimeMs: 7, provider: 'openai', simulated: true, usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 } };
const cancelled = { ...ending, status: 'cancelled', result: null, error: null };

test.each([
  ['running', 'pending', null],
  ['paused', 'pending', null],
  ['running', 'running', { status: 'running', provider: null, usage: null, executionTimeMs: null, completedAt: null }],
  ['running', 'waiting', { status: 'running' }],
  ['running', 'completed', { ...ending, status: 'completed', result: 'Words', error: null }],
  ['running', 'reused', { ...ending, status: 'completed', result: 'Words' }],
  ['failed', 'completed', { ...ending, status: 'completed', result: 'Words', error: null }],
  ['running', 'failed', { ...ending, status: 'failed', error: failure, result: null }],
  ['failed', 'pending', { ...ending, status: 'failed', error: failure }],
  ['cancelled', 'pending', cancelled],
  ['completed', 'pending', cancelled],
  ['cancelled', 'cancelled', cancelled],
  ['completed', 'skipped', cancelled],
] as const satisfies readonly (readonly [ExecutionStatus, StepStatus, object | null])[])(
  'R23.01 in a run that is %s, a command that has joined a step that is %s moves on as the step has',
  async (execution, step, expected) => {
    const { id, executionId } = await joinedCommand();
    const { row, at } = await settled(id, async (tx) => {
      await tx.execute(
        sql`UPDATE executions SET status = ${execution}, error = ${JSON.stringify(failure)}::jsonb WHERE id = ${executionId}`,
      );
      await tx.execute(sql`UPDATE execution_steps SET status = ${step}, result = 'Words', duration_ms = 7, provider = 'openai', simulated = true,
        usage = ${JSON.stringify(ending.usage)}::jsonb, error = ${JSON.stringify(failure)}::jsonb WHERE execution_id = ${executionId}`);
    });
    if (expected === null) expect(row).toBeNull();
    else expect(row).toMatchObject({ ...expected, id, startedAt: at, updatedAt: at });
    if (expected && expected.status !== 'running') expect(row?.completedAt).toEqual(at);
  },
);

test('R23.01 a command whose run is gone is cancelled', async () => {
  const { id, executionId } = await joinedCommand();
  const { row } = await settled(id, (tx) => tx.execute(sql`DELETE FROM executions WHERE id = ${executionId}`));
  expect(row).toMatchObject({ status: 'cancelled', result: null, simulated: false, usage: null });
});

test('R23.01 a command has no job while it waits for a step, and its end is published without a caller', async () => {
  models.answer({ kind: 'hang' });
  const socket = await ann.socket();
  const run = await ann.start(await ann.pipeline('qa'), 'Wait for me');
  const body = { agentId: ann.agent('qa').id, request: 'Join', parameters: { executionId: run.id } };
  const { id } = (await ann.call<CommandState>('POST', '/agentcommand/execute-async', body)).body;
  expect((await database.pool.query('SELECT FROM artel_queue.job WHERE id = $1', [id])).rowCount).toBe(0);
  await expect.poll(() => models.calls.length).toBeGreaterThan(0);
  models.release('Done');
  const told = await socket.until(({ type, commandId }) => type === 'agent_command_result' && commandId === id);
  expect(told).toMatchObject({ status: 'completed', result: 'Done' });
  await socket.close();
});
