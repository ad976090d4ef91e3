import type { Handlers } from '../../http/call.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Durable } from '../../platform/durable/durable.ts';
import type { Models } from '../../platform/llm/choose-model.ts';
import type { AgentService } from '../agents/index.ts';
import { createPipelines, type Pipelines, pipelineHandlers } from '../pipelines/index.ts';
import type { ProjectService, RunsOfProject } from '../projects/index.ts';
import { createRecorder, createResults, resultHandlers } from '../results/index.ts';
import { executionHandlers } from './handlers.ts';
import { createLegs } from './legs.ts';
import { executionRepository } from './repository.ts';
import { createExecutions, type Executions } from './service.ts';
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
  agents: Pick<AgentService, 'voices'>;
  projects: Pick<ProjectService, 'resolve'>;
};

type RunHandlers = Pick<Handlers, Extract<keyof Handlers, `pipeline.${string}` | `execution.${string}` | `result.${string}`>>;

export type Runs = {
  handlers: RunHandlers;
  executions: Executions;
  pipelines: Pipelines;
  ofProject: RunsOfProject;
  /** Takes up what an earlier process left. Called once, when the database is migrated and before the server listens. */
  launch: () => Promise<void>;
  /** Removes what no run needs any more. */
  tidy: () => Promise<void>;
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
  const runner = createStepRunner({ transition, repository, outcomes, bus, models: deps.models, agents, log, backoffMs });
  const legs = createLegs({ durable, runner, repository, transition, now, log });
  const pipelines = createPipelines({ db, newId, projects, agents });
  const executions = createExecutions({
    ...{ db, newId, now, repository, transition, outcomes, recorder, legs, pipelines, agents, projects },
  });
  const results = createResults({ db, newId, projects, executions: repository });

  return {
    executions,
    pipelines,
    ofProject: {
      unfinishedStatus: (tx, projectId) => executionRepository(tx).unfinishedStatusIn(projectId),
      count: async (projectId) => ({ ...(await repository.countsOf(projectId)), totalPipelines: await pipelines.countIn(projectId) }),
    },
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
    tidy: legs.tidy,
    async close() {
      legs.close();
      runner.close();
      await durable.close();
    },
  };
}
