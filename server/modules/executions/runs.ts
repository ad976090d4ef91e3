import type { Handlers } from '../../http/call.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Durable } from '../../platform/durable/durable.ts';
import type { AgentModelSettings, Models } from '../../platform/llm/choose-model.ts';
import { createPipelines, pipelineHandlers } from '../pipelines/index.ts';
import { createRecorder, createResults, resultHandlers } from '../results/index.ts';
import { executionHandlers } from './handlers.ts';
import { createLegs } from './legs.ts';
import { executionRepository } from './repository.ts';
import { type AgentOfRun, createExecutions, type Executions } from './service.ts';
import { createStepOutcomes } from './step-outcomes.ts';
import { createStepRunner } from './step-runner.ts';
import { createTransitions } from './transition.ts';

export type RunsDeps = {
  db: Db;
  durable: Durable;
  bus: Bus;
  models: Models;
  newId: () => string;
  now: () => Date;
  log: { warn: (about: object, line: string) => void; error: (about: object, line: string) => void };
  agents: {
    /** Those of `ids` that are the user's own, with what a run needs of them. */
    forRun: (userId: string, ids: string[]) => Promise<AgentOfRun[]>;
    /** An agent's model settings with its key in clear text, or null when the agent is gone. */
    modelSettings: (userId: string, agentId: string) => Promise<AgentModelSettings | null>;
  };
  projects: {
    /** The id of the user's own project, `default` resolved, or null. */
    resolve: (userId: string, id: string) => Promise<string | null>;
  };
};

type RunHandlers = Pick<Handlers, Extract<keyof Handlers, `pipeline.${string}` | `execution.${string}` | `result.${string}`>>;

export type Runs = {
  handlers: RunHandlers;
  executions: Executions;
  /** Takes up what an earlier process left. Called once, when the database is migrated and before the server listens. */
  launch: () => Promise<void>;
  /** Lets go of what is under way, which the next process takes up. */
  close: () => Promise<void>;
};

/** Wait before a model call that failed for the moment is repeated (ms); it doubles. */
const backoffMs = 1_000;

/** Pipelines, their durable executions and the history of these, put together. */
export function createRuns(deps: RunsDeps): Runs {
  const { db, durable, bus, newId, now, log, agents, projects } = deps;
  const repository = executionRepository(db);
  const transition = createTransitions({ db, bus, now });
  const recorder = createRecorder(newId, now);
  const outcomes = createStepOutcomes({ transition, recorder });
  const { modelSettings } = agents;
  const runner = createStepRunner({ transition, repository, outcomes, bus, models: deps.models, modelSettings, log, backoffMs });
  const legs = createLegs({ durable, runner, repository, transition, now, log });
  const owned = async (userId: string, ids: string[]) => new Set((await agents.forRun(userId, ids)).map(({ id }) => id));
  const pipelines = createPipelines({ db, newId, projects, agents: { owned } });
  const executions = createExecutions({
    ...{ db, newId, now, repository, transition, outcomes, recorder, legs, pipelines },
    agentsForRun: agents.forRun,
    resolveProject: projects.resolve,
  });
  const results = createResults({ db, newId, projects, executions: repository });

  return {
    executions,
    handlers: {
      ...pipelineHandlers({ pipelines, unfinishedStatus: repository.unfinishedStatus }),
      ...executionHandlers(executions),
      ...resultHandlers(results),
    },
    async launch() {
      await durable.launch();
      await legs.takeUpLost();
      legs.watch();
    },
    async close() {
      legs.close();
      runner.close();
      await durable.close();
    },
  };
}
