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
import { createRecentRows } from '../executions/index.ts';
import { createAcceptCommand } from './accept-command.ts';
import { createAgentFigures } from './agent-work.ts';
import { createAskModel } from './ask-model.ts';
import { CommandWaits } from './command-waits.ts';
import { createCommandWorker } from './command-worker.ts';
import { createFinishCommand } from './finish-command.ts';
import { commandHandlers } from './handlers.ts';
import { JoinedCommands } from './joined-commands.ts';
import { commandRepository } from './repository.ts';
import { createRetryDeadCommand, type RetryDeadCommand } from './retry-dead-command.ts';
import { CommandService } from './service.ts';

type CommandsDeps = {
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

type Commands = {
  handlers: Pick<Handlers, Extract<keyof Handlers, `command.${string}`>>;
  retryDead: RetryDeadCommand;
  /** Cancels an unfinished command. */
  cancel: CommandService['cancel'];
  /** Begins to move on the commands that have joined steps. */
  start: () => void;
  /** Ends that, and the waits of callers with the command's current state. */
  stop: () => void;
};

/** The delay before the first retry of a model call (ms); it doubles. */
const backoffMs = 1_000;

/** Creates the commands to single agents. */
export function createCommands(deps: CommandsDeps): Commands {
  const { db, pool, store, work, bus, queue, models, newId, now, log, agents } = deps;
  const repository = commandRepository(db);
  const recent = createRecentRows<AgentModelConfig>(({ systemPrompt }) => 1_000 + systemPrompt.length);
  const waits = new CommandWaits({ repository, bus });
  const finish = createFinishCommand({ ...work, queue, waits, bus, newId, now });
  const joined = new JoinedCommands({ db: work.db, waits, bus, now, log });
  const metering = { prices: deps.prices, ledger: createSpendLedger(work.run), limitsLentKeys: deps.limitsLentKeys, newId, now };
  const ask = createAskModel({ models, metering, bus, backoffMs });
  createCommandWorker({ pool: work.pool, repository: commandRepository(work.db), queue, agents, recent, ask, finish, bus, now, log });
  const accepting = createAcceptCommand({ db, store, queue, joined, recent, newId, now });
  const run = createPreparedStatements(pool);
  const service = new CommandService({ db, repository, queue, accepting, waits, run, agents, now });
  return {
    handlers: commandHandlers(service, createAgentFigures(db, agents)),
    retryDead: createRetryDeadCommand({ pool, queue }),
    cancel: (userId, id) => service.cancel(userId, id),
    start: () => joined.start(),
    stop: () => {
      joined.stop();
      waits.close();
    },
  };
}
