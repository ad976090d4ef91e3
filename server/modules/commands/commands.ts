import { mostCommandsOfAgent } from '../../../contract/command.ts';
import type { Handlers } from '../../http/call.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Db } from '../../platform/database/database.ts';
import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import type { Models } from '../../platform/llm/choose-model.ts';
import type { Nodes } from '../../platform/nodes/nodes.ts';
import type { AgentService } from '../agents/index.ts';
import { executionStandings } from '../executions/index.ts';
import type { ProjectService } from '../projects/index.ts';
import { createAccept } from './accept.ts';
import { createAgentFigures } from './agent-figures.ts';
import { createAskModel } from './ask-model.ts';
import { createAwaitEnd } from './await-end.ts';
import { createDesk } from './desk.ts';
import { createFinish } from './finish.ts';
import { createFollower } from './follower.ts';
import { commandHandlers } from './handlers.ts';
import { commandRepository } from './repository.ts';
import { createCommandService } from './service.ts';
import { createStepToJoin } from './step-to-join.ts';
import { createWorker } from './worker.ts';
import { createWorks } from './works.ts';

export type CommandsDeps = {
  /** For calls. */
  db: Db;
  run: RunStatement;
  /** For what carries commands out. */
  work: { db: Db; run: RunStatement };
  bus: Bus;
  nodes: Nodes;
  models: Models;
  newId: () => string;
  now: () => Date;
  log: { warn: (about: object, line: string) => void; error: (about: object, line: string) => void };
  agents: Pick<AgentService, 'voice' | 'get'>;
  projects: Pick<ProjectService, 'resolve'>;
};

export type Commands = {
  handlers: Pick<Handlers, Extract<keyof Handlers, `command.${string}`>>;
  /** How many commands this node carries out, and how many wait for their turn. */
  queue: () => { underWay: number; waiting: number };
  /** Lets callers who wait for a result go with the command as it stands. */
  stopWaiting: () => void;
  /** Lets go of what is under way, which another process takes up. */
  close: () => void;
};

/** What one process takes on before it sends callers away. */
const limits = { mostRunning: 500, mostOfAgent: mostCommandsOfAgent, mostWaiting: 5_000, mostFollowing: 5_000, mostOfAccount: 1_000 };
/** Wait before a model call that failed for the moment is repeated (ms); it doubles. */
const backoffMs = 1_000;

/** Commands to single agents, put together. */
export function createCommands(deps: CommandsDeps): Commands {
  const { db, run, work, bus, nodes, models, newId, now, log, agents, projects } = deps;
  const repository = commandRepository(db);
  const { standings, stepsOf } = executionStandings(db);
  const desk = createDesk(limits);
  const works = createWorks(desk);
  const finish = createFinish({ run: work.run, bus, newId, now });
  const follower = createFollower({ repository, standings, works, finish, bus, now, log });
  const ask = createAskModel({ models, bus, backoffMs });
  const worker = createWorker({ repository: commandRepository(work.db), desk, works, nodes, agents, ask, finish, follower, now, log });
  const accept = createAccept({ db, run, nodes, standings, desk, works, worker, newId, now });
  const stepToJoin = createStepToJoin({ stepsOf, repository });
  const { awaitEnd, close: stopWaiting } = createAwaitEnd({ works, repository, bus });
  const service = createCommandService({ repository, accept, stepToJoin, awaitEnd, works, worker, bus, agents, projects, now });
  const figures = createAgentFigures({ db, repository, agents });
  return { handlers: commandHandlers(service, figures), queue: desk.queue, stopWaiting, close: worker.close };
}
