import type pg from 'pg';
import { maxCommandsOfAgent } from '../../../contract/command.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Db } from '../../platform/database/database.ts';
import { type SQL, sql } from '../../platform/database/drizzle.ts';
import { runIn } from '../../platform/database/prepared-statements.ts';
import { retryOnOutage } from '../../platform/database/retry-on-outage.ts';
import { builderSql } from '../../platform/database/statement.ts';
import { recoverWork } from '../../platform/work-queue/recover-work.ts';
import type { Job, JobOutcome, WorkQueue } from '../../platform/work-queue/work-queue.ts';
import type { AgentModelConfig, AgentService } from '../agents/index.ts';
import { failureFor, internalFailure, type RecentRows } from '../executions/index.ts';
import type { TakenCommand } from './accept-command.ts';
import type { Answered, AskModel } from './ask-model.ts';
import type { FinishCommand, JobAtEnd } from './finish-command.ts';
import type { CommandRepository } from './repository.ts';
import { type CommandRow, unanswered } from './rows.ts';

type CommandWorkerDeps = {
  pool: pg.Pool;
  repository: Pick<CommandRepository, 'begin'>;
  queue: WorkQueue;
  agents: Pick<AgentService, 'modelConfig'>;
  /** Agents' model settings, read when this process stored the command, by command id. */
  recent: RecentRows<AgentModelConfig>;
  ask: AskModel;
  finish: FinishCommand;
  bus: Pick<Bus, 'subscribe'>;
  now: () => Date;
  log: { error: (about: object, line: string) => void };
};

/**
 * The maximum of commands that one process runs at the same time. It is above the unfinished commands of one account, so that no account takes
 * all places: most of them wait for their key, and the calls are admitted by their memory.
 */
const maxAtOnce = 2_500;
/** The interval at which a command that was cancelled on another node is noticed without the bus (ms). */
const heartbeatMs = 500;

/** Commands that call a model and have not ended. Those that have joined a step have no job. */
const unfinished = `agent_commands WHERE status IN ('pending', 'running') AND execution_id IS NULL`;

/** Runs commands: each once, also when nodes die. A repeated model call has the same idempotency key. */
export function createCommandWorker(deps: CommandWorkerDeps): void {
  const { pool, repository, queue, agents, recent, ask, finish, bus, now, log } = deps;

  const carryOut = async (job: Job): Promise<JobOutcome> => {
    const lasting = <T>(work: () => Promise<T>) => retryOnOutage(work, job.signal);
    const holdsJob = builderSql((place) => queue.holdsJob('command', job, place));
    if (job.isExhausted) {
      const bury = (tx: Db) => queue.bury(runIn(tx), 'command', job, 'Every attempt was cut off or failed.');
      return (await lasting(() => failExhausted(job.id, holdsJob, { bury }))) ? 'buried' : 'done';
    }
    const taken = job.known as TakenCommand | undefined;
    const row = taken?.row ?? (await lasting(() => repository.begin(job.id, holdsJob, now())));
    if (!row) return 'done';
    if (job.stopping.aborted) return 'released';
    const modelConfig = taken?.modelConfig ?? recent.take(job.id) ?? (await lasting(() => agents.modelConfig(row.userId, row.agentId)));
    const cancelled = new AbortController();
    const unsubscribe = bus.subscribe(row.userId, (message) => {
      if (message.type === 'agent_command_result' && message.commandId === row.id) cancelled.abort();
    });
    const signal = AbortSignal.any([job.signal, cancelled.signal]);
    const answered = await ask(row, modelConfig, signal)
      .catch((error: unknown) => broken(row, modelConfig, error))
      .finally(unsubscribe);
    if (job.signal.aborted) return 'released';
    if (!answered) return 'done';
    return (await lasting(() => finish(row, answered, 'remove'))) ? 'settled' : 'done';
  };

  /** Describes a fault of the server, without its details. */
  const broken = (row: CommandRow, modelConfig: AgentModelConfig | null, error: unknown): Answered => {
    log.error({ err: error, commandId: row.id }, 'A command failed by a fault of the server.');
    return failed(internalFailure(row.language, { agent: modelConfig?.title ?? row.agentId }));
  };

  /** Fails a command whose attempts are used up. Returns null when it has ended already, or another process has it. */
  const failExhausted = async (id: string, mayBegin: SQL, job: JobAtEnd): Promise<CommandRow | null> => {
    const row = await repository.begin(id, mayBegin, now());
    if (!row) return null;
    const agent = (await agents.modelConfig(row.userId, row.agentId))?.title ?? row.agentId;
    return finish(row, failed(failureFor({ code: 'attempts_exhausted' }, row.language, { agent })), job);
  };

  const isExhausted = sql`agent_commands.id IN (${sql.raw(queue.exhaustedJobs())})`;
  const bury = (id: string) => failExhausted(id, isExhausted, 'keep');
  const recover = () => recoverWork({ pool, queue }, { queue: 'command', table: unfinished, job: 'id', group: 'agent_id', bury });
  queue.work('command', { maxAtOnce, maxPerGroup: maxCommandsOfAgent, heartbeatMs, recover }, carryOut);
}

function failed(error: Answered['ending']['error']): Answered {
  return { ending: { ...unanswered, executionTimeMs: 0, status: 'failed', error }, thoughts: null };
}
