import { ApiError } from '../../http/api-error.ts';
import type { StoreIdempotentResponse } from '../../http/call.ts';
import type { Db } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/drizzle.ts';
import { type RunStatement, runIn } from '../../platform/database/prepared-statements.ts';
import { insertion, type SqlFragment, type Statement, writeStatement } from '../../platform/database/statement.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';
import type { AgentModelConfig } from '../agents/index.ts';
import { hasBudget } from '../budgets/index.ts';
import type { RecentRows, StepPlace } from '../executions/index.ts';
import { type JoinedCommands, settleJoined } from './joined-commands.ts';
import { type BegunCommand, type CommandRow, hasEnded, toState, unanswered } from './rows.ts';
import { agentCommands } from './tables.ts';

type AcceptCommandDeps = {
  db: Db;
  /** Runs one statement in a transaction of its own. */
  store: RunStatement;
  queue: Pick<WorkQueue, 'insertJob' | 'take' | 'wake'>;
  joined: Pick<JoinedCommands, 'follow'>;
  recent: RecentRows<AgentModelConfig>;
  newId: () => string;
  now: () => Date;
};

/** What the worker knows of a command that this process has taken: its first attempt has begun. */
export type TakenCommand = { row: BegunCommand; modelConfig: AgentModelConfig };

/** A caller's request to an agent. */
export type CommandRequest = Pick<
  CommandRow,
  | 'userId'
  | 'keyId'
  | 'projectId'
  | 'kind'
  | 'request'
  | 'initialTask'
  | 'task'
  | 'parameters'
  | 'data'
  | 'messages'
  | 'sentAt'
  | 'language'
>;

/** The maximum of unfinished commands of one account. */
const maxUnfinished = 1_000;
/** The delay after which a caller with too many commands may retry (s). */
const retryDelaySeconds = 5;

const tooMany = () => new ApiError('too_many_requests', { retryAfterSeconds: retryDelaySeconds });

/**
 * Accepts new commands: stores each in the transaction of its idempotent response, and returns it as accepted. `keep` is null for a call without
 * an idempotency key. Both functions throw `too_many_requests` for an account with too many.
 */
export function createAcceptCommand({ db, store, queue, joined, recent, newId, now }: AcceptCommandDeps) {
  const newRow = (asked: CommandRequest, agentId: string, place: StepPlace | null): CommandRow => {
    const at = now();
    return {
      ...asked,
      id: newId(),
      agentId,
      executionId: place?.executionId ?? null,
      stepId: place?.stepId ?? null,
      status: 'pending',
      leaseEpoch: 0,
      attempts: 0,
      ...unanswered,
      startedAt: null,
      completedAt: null,
      createdAt: at,
      updatedAt: at,
    };
  };

  return {
    /** Accepts a command that calls the agent's model. One that this process has taken is stored with its first attempt begun. */
    async accept(asked: CommandRequest, modelConfig: AgentModelConfig, keep: StoreIdempotentResponse | null): Promise<CommandRow> {
      const row = newRow(asked, modelConfig.id, null);
      const job = { id: row.id, group: row.agentId };
      const taken = queue.take('command', job);
      const begun: CommandRow = { ...row, status: 'running', leaseEpoch: 1, attempts: 1, startedAt: row.createdAt };
      if (!taken) recent.put(row.id, modelConfig);
      const sending: SqlFragment = (source, place) => queue.insertJob('command', { ...job, isTaken: taken !== null }, { source, place });
      const statement = storing(taken ? begun : row, sending);
      const storeAndKeep = (respond: StoreIdempotentResponse) =>
        db.transaction(async (tx) => {
          const rows = await runIn(tx)(statement);
          if (rows.length > 0) await respond(tx, toState(row));
          return rows;
        });
      const [stored] = await (keep ? storeAndKeep(keep) : store(statement)).catch((error: unknown) => {
        taken?.abandon();
        throw error;
      });
      if (!stored) {
        taken?.release();
        throw tooMany();
      }
      if (taken) taken.begin({ row: { ...begun, hasBudget: stored.hasBudget === true }, modelConfig } satisfies TakenCommand);
      else queue.wake('command');
      return row;
    },

    /** Accepts a command that joins a step, in the step's current state. */
    async join(asked: CommandRequest, agentId: string, place: StepPlace, keep: StoreIdempotentResponse | null): Promise<CommandRow> {
      const fresh = newRow(asked, agentId, place);
      const row = await db.transaction(async (tx) => {
        if ((await runIn(tx)(storing(fresh, null))).length === 0) throw tooMany();
        const [settled = fresh] = await settleJoined(tx, sql`joined.id = ${fresh.id}`, fresh.createdAt);
        await keep?.(tx, toState(settled));
        return settled;
      });
      if (!hasEnded(row)) joined.follow({ userId: row.userId, executionId: place.executionId });
      return row;
    },
  };
}

export type AcceptCommand = ReturnType<typeof createAcceptCommand>;

/**
 * Stores a new command with its job, if it needs one, and if its account has room for it. Returns one row when it was stored: whether budgets
 * may apply to it.
 */
function storing(row: CommandRow, job: SqlFragment | null): Statement {
  return writeStatement((place) => {
    const parts = [
      `room AS (SELECT FROM agent_commands WHERE user_id = ${place(row.userId)}::uuid AND status IN ('pending', 'running')
        HAVING count(*) < ${place(maxUnfinished)}::integer)`,
      `stored AS (${insertion(agentCommands, row, { source: 'room', place })} RETURNING user_id, project_id, key_id)`,
      ...(job ? [`job AS (${job('stored', place)})`] : []),
    ];
    return `WITH ${parts.join(', ')} SELECT ${hasBudget('stored', { withKey: true })} AS "hasBudget" FROM stored`;
  });
}
