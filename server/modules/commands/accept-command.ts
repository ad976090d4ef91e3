import type pg from 'pg';
import { ApiError } from '../../http/api-error.ts';
import type { StoreIdempotentResponse } from '../../http/call.ts';
import type { Db } from '../../platform/database/database.ts';
import { type RunStatement, runIn, transact } from '../../platform/database/prepared-statements.ts';
import type { QueueName, WorkQueue } from '../../platform/work-queue/work-queue.ts';
import type { AgentModelConfig } from '../agents/index.ts';
import { placeKey, type RecentRows, type StepPlace, type StepReads } from '../executions/index.ts';
import { deriveCommandState } from './derive-command-state.ts';
import { type CommandRow, hasEnded, toState } from './rows.ts';
import { insertion } from './statements.ts';

export type AcceptCommandDeps = {
  db: Db;
  pool: pg.Pool;
  queue: Pick<WorkQueue, 'send' | 'wake'>;
  readSteps: StepReads['readSteps'];
  recent: RecentRows<AgentModelConfig>;
  newId: () => string;
  now: () => Date;
};

/** A caller's request to an agent. */
export type Asked = Pick<
  CommandRow,
  'userId' | 'projectId' | 'kind' | 'request' | 'initialTask' | 'task' | 'parameters' | 'data' | 'messages' | 'sentAt' | 'language'
>;

/** The maximum of unfinished commands of one account. */
const maxUnfinished = 1_000;
/** The delay after which a caller with too many commands may retry (s). */
const retryDelaySeconds = 5;

/** Accepts new commands: stores them with their idempotent responses and their jobs. */
export function createAcceptCommand({ db, pool, queue, readSteps, recent, newId, now }: AcceptCommandDeps) {
  const store = async (run: RunStatement, row: CommandRow): Promise<void> => {
    if ((await run(insertion(row, maxUnfinished))).length === 0) {
      throw new ApiError('too_many_requests', { retryAfterSeconds: retryDelaySeconds });
    }
    if (!hasEnded(row)) await queue.send(run, queueOf(row), [{ id: row.id, group: row.agentId }]);
  };

  /** A command that has joined a step, with the step's current state. */
  const asItsStep = async (row: CommandRow, place: StepPlace): Promise<CommandRow> => {
    const derived = deriveCommandState((await readSteps([place])).get(placeKey(place)));
    return derived.kind === 'waits'
      ? { ...row, status: derived.status, startedAt: derived.status === 'running' ? row.createdAt : null }
      : { ...row, ...derived.ending, startedAt: row.createdAt, completedAt: row.createdAt };
  };

  /** Stores a command and returns it as stored. `keep` is null for a call without an idempotency key. */
  return async (
    asked: Asked,
    modelConfig: AgentModelConfig,
    joined: StepPlace | null,
    keep: StoreIdempotentResponse | null,
  ): Promise<CommandRow> => {
    const fresh = newRow({ ...asked, ...(joined ?? { executionId: null, stepId: null }), id: newId(), agentId: modelConfig.id }, now());
    const row = joined ? await asItsStep(fresh, joined) : fresh;
    if (!joined) recent.put(row.id, modelConfig);
    if (keep === null) await transact(pool, (run) => store(run, row));
    else {
      await db.transaction(async (tx) => {
        await store(runIn(tx), row);
        await keep(tx, toState(row));
      });
    }
    queue.wake(queueOf(row));
    return row;
  };
}

export type AcceptCommand = ReturnType<typeof createAcceptCommand>;

/** Returns the queue of a command's job. */
export function queueOf({ executionId }: Pick<CommandRow, 'executionId'>): QueueName {
  return executionId === null ? 'command' : 'joined-command';
}

type Given = Asked & Pick<CommandRow, 'id' | 'agentId' | 'executionId' | 'stepId'>;

function newRow(given: Given, now: Date): CommandRow {
  return {
    ...given,
    ...{ status: 'pending', leaseEpoch: 0, attempts: 0, result: null, finish: null, error: null, provider: null, model: null },
    ...{ simulated: false, usage: null, executionTimeMs: null, startedAt: null, completedAt: null, createdAt: now, updatedAt: now },
  };
}
