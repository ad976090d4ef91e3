import { ApiError } from '../../http/api-error.ts';
import type { StoreIdempotentResponse } from '../../http/call.ts';
import type { Db } from '../../platform/database/database.ts';
import { type RunStatement, runIn } from '../../platform/database/prepared-statements.ts';
import type { SqlFragment } from '../../platform/database/statement.ts';
import type { QueueName, WorkQueue } from '../../platform/work-queue/work-queue.ts';
import type { AgentModelConfig } from '../agents/index.ts';
import { placeKey, type RecentRows, type StepPlace, type StepReads } from '../executions/index.ts';
import { deriveCommandState } from './derive-command-state.ts';
import { type BegunCommand, type CommandRow, hasEnded, toState, unanswered } from './rows.ts';
import { insertion } from './statements.ts';

type AcceptCommandDeps = {
  db: Db;
  /** Runs one statement in a transaction of its own. */
  store: RunStatement;
  queue: Pick<WorkQueue, 'insertJob' | 'take' | 'wake'>;
  readSteps: StepReads['readSteps'];
  recent: RecentRows<AgentModelConfig>;
  newId: () => string;
  now: () => Date;
};

/** What the worker knows of a command that this process has taken: its first attempt has begun. */
export type TakenCommand = { row: BegunCommand; modelConfig: AgentModelConfig };

/** A caller's request to an agent. */
export type Asked = Pick<
  CommandRow,
  'userId' | 'projectId' | 'kind' | 'request' | 'initialTask' | 'task' | 'parameters' | 'data' | 'messages' | 'sentAt' | 'language'
>;

/** The maximum of unfinished commands of one account. */
const maxUnfinished = 1_000;
/** The delay after which a caller with too many commands may retry (s). */
const retryDelaySeconds = 5;

/** Accepts new commands: stores each in one statement with its job, and in the transaction of its idempotent response. */
export function createAcceptCommand({ db, store, queue, readSteps, recent, newId, now }: AcceptCommandDeps) {
  /** Stores a command and its job. Returns whether budgets may apply to it, or null for an account with too many. */
  const storeCommand = async (row: CommandRow, isTaken: boolean, keep: ((tx: Db) => Promise<void>) | null): Promise<boolean | null> => {
    const job: SqlFragment = (source, place) =>
      queue.insertJob(queueOf(row), { id: row.id, group: row.agentId, isTaken }, { source, place });
    const statement = insertion(row, hasEnded(row) ? null : job, maxUnfinished);
    const run = async (within: RunStatement) => {
      const [stored] = await within(statement);
      return stored ? stored.hasBudget === true : null;
    };
    if (keep === null) return run(store);
    return db.transaction(async (tx) => {
      const stored = await run(runIn(tx));
      if (stored !== null) await keep(tx);
      return stored;
    });
  };

  /** A command that has joined a step, with the step's current state. */
  const asItsStep = async (row: CommandRow, place: StepPlace): Promise<CommandRow> => {
    const derived = deriveCommandState((await readSteps([place])).get(placeKey(place)));
    return derived.kind === 'waits'
      ? { ...row, status: derived.status, startedAt: derived.status === 'running' ? row.createdAt : null }
      : { ...row, ...derived.ending, startedAt: row.createdAt, completedAt: row.createdAt };
  };

  /**
   * Stores a command and returns it as accepted. One that this process has taken is stored with its first attempt begun. `keep` is null for a
   * call without an idempotency key.
   */
  return async (
    asked: Asked,
    modelConfig: AgentModelConfig,
    joined: StepPlace | null,
    keep: StoreIdempotentResponse | null,
  ): Promise<CommandRow> => {
    const fresh = newRow({ ...asked, ...(joined ?? { executionId: null, stepId: null }), id: newId(), agentId: modelConfig.id }, now());
    const row = joined ? await asItsStep(fresh, joined) : fresh;
    const taken = joined ? null : queue.take('command', { id: row.id, group: row.agentId });
    const begun: CommandRow = { ...row, status: 'running', leaseEpoch: 1, attempts: 1, startedAt: row.createdAt };
    if (!taken && !joined) recent.put(row.id, modelConfig);
    const hasBudget = await storeCommand(taken ? begun : row, taken !== null, keep && ((tx) => keep(tx, toState(row)))).catch((error) => {
      taken?.abandon();
      throw error;
    });
    if (hasBudget === null) {
      taken?.release();
      throw new ApiError('too_many_requests', { retryAfterSeconds: retryDelaySeconds });
    }
    if (taken) taken.begin({ row: { ...begun, hasBudget }, modelConfig } satisfies TakenCommand);
    else queue.wake(queueOf(row));
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
    status: 'pending',
    leaseEpoch: 0,
    attempts: 0,
    ...unanswered,
    startedAt: null,
    completedAt: null,
    createdAt: now,
    updatedAt: now,
  };
}
