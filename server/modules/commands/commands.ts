import type pg from 'pg';
import type { Handlers } from '../../http/call.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Db } from '../../platform/database/database.ts';
import { createPreparedStatements, type RunStatement } from '../../platform/database/prepared-statements.ts';
import type { Models } from '../../platform/llm/choose-model.ts';
import type { PriceList } from '../../platform/prices/price-list.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';
import type { AgentModelConfig, AgentService } from '../agents/index.ts';
import { createSpendLedger } from '../budgets/index.ts';
import { createRecentRows, createStepReads } from '../executions/index.ts';
import { createAcceptCommand } from './accept-command.ts';
import { createAgentFigures } from './agent-figures.ts';
import { createAskModel } from './ask-model.ts';
import { createAwaitEnd } from './await-end.ts';
import { createCommandWorker } from './command-worker.ts';
import { createEndedCommands } from './ended-commands.ts';
import { createFinishCommand } from './finish-command.ts';
import { createJoinedStepFollower } from './follow-joined-steps.ts';
import { commandHandlers } from './handlers.ts';
import { commandRepository } from './repository.ts';
import { createRetryDeadCommand, type RetryDeadCommand } from './retry-dead-command.ts';
import { createSendMissingJobs } from './send-missing-jobs.ts';
import { type CommandService, createCommandService } from './service.ts';
import { createStepToJoin } from './step-to-join.ts';

export type CommandsDeps = {
  /** For API calls. */
  db: Db;
  pool: pg.Pool;
  /** Runs the statement that stores a command, in a transaction of its own. */
  store: RunStatement;
  /** For the workers. */
  work: { db: Db; pool: pg.Pool; run: RunStatement };
  bus: Bus;
  queue: WorkQueue;
  models: Models;
  prices: PriceList;
  /** Whether the operator limits the tokens on the server's keys. */
  limitsLentKeys: boolean;
  newId: () => string;
  now: () => Date;
  log: { warn: (about: object, line: string) => void; error: (about: object, line: string) => void };
  agents: Pick<AgentService, 'modelConfig' | 'modelConfigFrom' | 'get'>;
};

export type Commands = {
  handlers: Pick<Handlers, Extract<keyof Handlers, `command.${string}`>>;
  retryDead: RetryDeadCommand;
  /** Cancels an unfinished command. */
  cancel: CommandService['cancel'];
  /** Ends the waits of callers with the command's current state. */
  stopWaiting: () => void;
};

/** The delay before the first retry of a model call (ms); it doubles. */
const backoffMs = 1_000;

/** Creates the commands to single agents. */
export function createCommands(deps: CommandsDeps): Commands {
  const { db, pool, store, work, bus, queue, models, newId, now, log, agents } = deps;
  const repository = commandRepository(db);
  const { readSteps, stepsOf } = createStepReads(db);
  const recent = createRecentRows<AgentModelConfig>(({ systemPrompt }) => 1_000 + systemPrompt.length);
  const endedHere = createEndedCommands();
  const finish = createFinishCommand({ ...work, queue, ended: endedHere, bus, newId, now });
  const workRepository = commandRepository(work.db);
  const follower = createJoinedStepFollower({ repository: workRepository, readSteps, finish, bus, now, log });
  const metering = { prices: deps.prices, ledger: createSpendLedger(work.run), limitsLentKeys: deps.limitsLentKeys, newId, now };
  const ask = createAskModel({ models, metering, bus, backoffMs });
  const sendMissingJobs = createSendMissingJobs({ pool: work.pool, queue });
  createCommandWorker({ repository: workRepository, queue, agents, recent, ask, finish, follower, bus, sendMissingJobs, now, log });
  const accept = createAcceptCommand({ db, store, queue, readSteps, recent, newId, now });
  const stepToJoin = createStepToJoin({ stepsOf, repository });
  const { awaitEnd, close: stopWaiting } = createAwaitEnd({ endedHere, repository, bus });
  const run = createPreparedStatements(pool);
  const service = createCommandService({ db, repository, queue, accept, stepToJoin, awaitEnd, endedHere, bus, run, agents, now });
  const figures = createAgentFigures({ db, repository, agents });
  return {
    handlers: commandHandlers(service, figures),
    retryDead: createRetryDeadCommand({ pool, queue }),
    cancel: service.cancel,
    stopWaiting,
  };
}
