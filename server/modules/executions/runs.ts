import type { ExecutionStatus } from '../../../contract/execution.ts';
import type { Handlers } from '../../http/call.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Db } from '../../platform/database/database.ts';
import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import type { Models } from '../../platform/llm/choose-model.ts';
import type { Nodes } from '../../platform/nodes/nodes.ts';
import type { AgentService } from '../agents/index.ts';
import { createLeftFiles } from '../files/index.ts';
import { createDiagnosis, createPipelines, type Pipelines, pipelineHandlers } from '../pipelines/index.ts';
import type { ProjectService, RunsOfProject } from '../projects/index.ts';
import { createRecorder, createResults, resultHandlers } from '../results/index.ts';
import { executionChangeHandlers } from './change-handlers.ts';
import { createExecutionFiles } from './execution-files.ts';
import { createExecutionReads } from './execution-reads.ts';
import { executionFileHandlers } from './file-handlers.ts';
import { executionHandlers } from './handlers.ts';
import { createLegs } from './legs.ts';
import { createPreparedExecutions } from './prepared-executions.ts';
import { executionReadHandlers } from './read-handlers.ts';
import { createReadiness } from './readiness.ts';
import { recordedOf } from './recorded-run.ts';
import { executionRepository } from './repository.ts';
import { createExecutions, type Executions } from './service.ts';
import { createStepOutcomes } from './step-outcomes.ts';
import { createStepRunner } from './step-runner.ts';
import { createStoreNew } from './store-new.ts';
import { createTransitions } from './transition.ts';

export type RunsDeps = {
  /** For calls. */
  db: Db;
  run: RunStatement;
  /** For what carries executions out. */
  work: { db: Db; run: RunStatement };
  nodes: Nodes;
  bus: Bus;
  models: Models;
  newId: () => string;
  now: () => Date;
  log: { warn: (about: object, line: string) => void; error: (about: object, line: string) => void };
  agents: Pick<AgentService, 'voice' | 'voices' | 'voiceFrom' | 'standing'>;
  projects: Pick<ProjectService, 'resolve' | 'canvas'>;
};

type RunHandlers = Pick<Handlers, Extract<keyof Handlers, `pipeline.${string}` | `execution.${string}` | `result.${string}`>>;

export type Runs = {
  handlers: RunHandlers;
  executions: Executions;
  pipelines: Pipelines;
  ofProject: RunsOfProject;
  /** How many executions this node works on, and how many wait for their turn. */
  queue: () => { underWay: number; waiting: number };
  /** How many executions there are of each status, of all users. */
  countByStatus: () => Promise<Record<ExecutionStatus, number>>;
  /** Lets go of what is under way, which the next process takes up. */
  close: () => Promise<void>;
};

/** Wait before a model call that failed for the moment is repeated (ms); it doubles. */
const backoffMs = 1_000;

/** Pipelines, their durable executions and the history of these, put together. */
export function createRuns(deps: RunsDeps): Runs {
  const { db, run, work, bus, nodes, newId, now, log, agents, projects } = deps;
  const repository = executionRepository(db);
  const { transition } = createTransitions({ db, run, bus, now });
  const recorder = createRecorder(newId, now);
  const workRepository = executionRepository(work.db);
  const { transitionFrom, firstTransition } = createTransitions({ ...work, bus, now });
  const outcomes = createStepOutcomes({ firstTransition, transitionFrom, recorder, leftFiles: createLeftFiles(work.db), agents, newId });
  const runner = createStepRunner({ repository: workRepository, outcomes, bus, models: deps.models, agents, log, backoffMs });
  const legs = createLegs({ runner, repository: workRepository, nodes, log });
  const storeNew = createStoreNew({ db, run, recorder });
  const pipelines = createPipelines({ db, run, newId, projects, agents });
  const executions = createExecutions({
    ...{ storeNew, newId, now, repository, transition, outcomes, legs, nodes, pipelines, projects },
  });
  const prepared = createPreparedExecutions({ storeNew, newId, now, transition, recorder, legs, nodes, pipelines });
  const files = createExecutionFiles({ db, repository });
  const reads = createExecutionReads({ repository, pipelines, files, now });
  const diagnosis = createDiagnosis({ projects, agents, pipelines });
  const readiness = createReadiness({ pipelines, diagnosis, agents, models: deps.models });
  const results = createResults({
    ...{ db, newId, now, projects },
    executions: { taskOf: repository.taskOf, recorded: recordedOf(repository) },
  });

  return {
    executions,
    pipelines,
    ofProject: {
      unfinishedStatus: (tx, projectId) => executionRepository(tx).unfinishedStatusIn(projectId),
      count: async (projectId) => ({ ...(await repository.countsOf(projectId)), totalPipelines: await pipelines.countIn(projectId) }),
    },
    handlers: {
      ...pipelineHandlers({ db, newId, agents, pipelines, diagnosis, unfinishedStatus: repository.unfinishedStatus }),
      ...executionHandlers(executions, prepared),
      ...executionChangeHandlers(prepared, { transition, legs, nodes }),
      ...executionFileHandlers(files),
      ...executionReadHandlers({ executions, reads, readiness }),
      ...resultHandlers(results),
    },
    queue: legs.queue,
    countByStatus: repository.countByStatus,
    close: legs.close,
  };
}
