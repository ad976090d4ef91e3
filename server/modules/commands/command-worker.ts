import { maxCommandsOfAgent } from '../../../contract/command.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Db } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/drizzle.ts';
import { runIn } from '../../platform/database/prepared-statements.ts';
import { retryOnOutage } from '../../platform/database/retry-on-outage.ts';
import { builderSql } from '../../platform/database/statement.ts';
import type { Job, JobOutcome, QueueName, WorkQueue } from '../../platform/work-queue/work-queue.ts';
import type { AgentModelConfig, AgentService } from '../agents/index.ts';
import { failureFor, internalFailure, type RecentRows } from '../executions/index.ts';
import type { TakenCommand } from './accept-command.ts';
import type { Answered, AskModel } from './ask-model.ts';
import type { FinishCommand } from './finish-command.ts';
import type { JoinedStepFollower } from './follow-joined-steps.ts';
import type { CommandRepository } from './repository.ts';
import type { CommandRow } from './rows.ts';
import { agentCommands } from './tables.ts';

type CommandWorkerDeps = {
  repository: CommandRepository;
  queue: WorkQueue;
  agents: Pick<AgentService, 'modelConfig'>;
  /** Agents' model settings, read when this process stored the command, by command id. */
  recent: RecentRows<AgentModelConfig>;
  ask: AskModel;
  finish: FinishCommand;
  follower: JoinedStepFollower;
  bus: Pick<Bus, 'subscribe'>;
  sendMissingJobs: () => Promise<void>;
  now: () => Date;
  log: { warn: (about: object, line: string) => void; error: (about: object, line: string) => void };
};

/**
 * The maximum of commands that one process runs at the same time, and of those that follow a step of a run. It is above the unfinished commands of
 * one account, so that no account takes all places: most of them wait for their key, and the calls are admitted by their memory.
 */
const maxAtOnce = 2_500;
const maxFollowing = 5_000;
/** The interval at which a command that was cancelled on another node is noticed without the bus (ms). */
const heartbeatMs = 500;
const followerHeartbeatMs = 4_000;

/** Runs commands: each once, also when nodes die. A repeated model call has the same idempotency key. */
export function createCommandWorker(deps: CommandWorkerDeps): void {
  const { repository, queue, agents, recent, ask, finish, follower, bus, now, log } = deps;

  const begin = (name: QueueName, job: Job) =>
    repository.begin(
      job.id,
      builderSql((place) => queue.holdsJob(name, job, place)),
      now(),
    );

  const carryOut = async (job: Job): Promise<JobOutcome> => {
    const lasting = <T>(work: () => Promise<T>) => retryOnOutage(work, job.signal);
    if (job.isExhausted) return lasting(() => buryCommand(job));
    const taken = job.known as TakenCommand | undefined;
    const row = taken?.row ?? (await lasting(() => begin('command', job)));
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

  const followStep = async (job: Job): Promise<JobOutcome> => {
    const row = await retryOnOutage(() => begin('joined-command', job), job.signal);
    return row ? follower.follow(row, job) : 'done';
  };

  /** Describes a fault of the server, without its details. */
  const broken = (row: CommandRow, modelConfig: AgentModelConfig | null, error: unknown): Answered => {
    log.error({ err: error, commandId: row.id }, 'A command failed by a fault of the server.');
    return failed(internalFailure(row.language, { agent: modelConfig?.title ?? row.agentId }));
  };

  const buryCommand = async (job: Job): Promise<JobOutcome> => {
    const row = await begin('command', job);
    if (!row) return 'done';
    const bury = (tx: Db) => queue.bury(runIn(tx), 'command', job, 'Every attempt was cut off or failed.');
    return (await finish(row, await exhausted(row), { bury })) ? 'buried' : 'done';
  };
  const titleOf = async (row: CommandRow): Promise<string> => (await agents.modelConfig(row.userId, row.agentId))?.title ?? row.agentId;

  const exhausted = async (row: CommandRow): Promise<Answered> =>
    failed(failureFor({ code: 'attempts_exhausted' }, row.language, { agent: await titleOf(row) }));

  /** Fails commands whose attempts are used up: the process that was to fail them has ended before it did. */
  const buryExhausted = async (): Promise<void> => {
    const isExhausted = sql`${agentCommands.id} IN (${sql.raw(queue.exhaustedJobs())})`;
    for (const id of await repository.unfinished(isExhausted)) {
      const row = await repository.begin(id, isExhausted, now());
      if (row) await finish(row, await exhausted(row), 'keep');
    }
  };

  const recover = async (): Promise<void> => {
    await buryExhausted();
    await deps.sendMissingJobs();
  };
  queue.work('command', { maxAtOnce, maxPerGroup: maxCommandsOfAgent, heartbeatMs, recover }, carryOut);
  const following = { maxAtOnce: maxFollowing, maxPerGroup: null, heartbeatMs: followerHeartbeatMs, recover: async () => {} };
  queue.work('joined-command', following, followStep);
}

function failed(error: Answered['ending']['error']): Answered {
  const facts = { result: null, finish: null, provider: null, model: null, simulated: false, usage: null, executionTimeMs: 0 };
  return { ending: { ...facts, status: 'failed', error }, thoughts: null };
}
