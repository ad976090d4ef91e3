import type pg from 'pg';
import { modelCallsTools } from '../../../contract/agent.ts';
import type { ExecutionStatus } from '../../../contract/executions/execution.ts';
import type { ExecutionFiles, PullRequest } from '../../../contract/executions/file.ts';
import type { Handlers, Language } from '../../http/call.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import { elapsed } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import type { BaseFile, TreeListing } from '../../platform/git/git-messages.ts';
import type { Models } from '../../platform/llm/choose-model.ts';
import type { PriceList } from '../../platform/prices/price-list.ts';
import { createComputeThread } from '../../platform/processes/compute-thread.ts';
import type { CurrentRunner } from '../../platform/runner/runner.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';
import type { AgentService } from '../agents/index.ts';
import { type Budgets, createReadRoom, createReadStepSettings, createSpendLedger } from '../budgets/index.ts';
import { createFilesInAnswer, createFileThread } from '../files/index.ts';
import { type InputsOfRuns, inputFiles } from '../inputs/index.ts';
import { createDiagnosis, createPipelines, type Pipelines, pipelineHandlers } from '../pipelines/index.ts';
import type { ProjectService, RunsOfProject } from '../projects/index.ts';
import { createRecorder, createResults, resultHandlers } from '../results/index.ts';
import type { AccountStorage } from '../storage/index.ts';
import type { ToolProvider } from '../tools/index.ts';
import { createExecutionReads } from './execution-reads.ts';
import { createExecutionFiles, type PublishableRun, type PublishedFile } from './files/execution-files.ts';
import { createCompareRuns } from './forks/compare-runs.ts';
import { createForks } from './forks/forks.ts';
import { createStopLeftTrials } from './forks/stop-left-trials.ts';
import { executionChangeHandlers } from './handlers/change-handlers.ts';
import { executionFileHandlers } from './handlers/file-handlers.ts';
import { forkHandlers } from './handlers/fork-handlers.ts';
import { executionHandlers } from './handlers/handlers.ts';
import { questionHandlers } from './handlers/question-handlers.ts';
import { executionReadHandlers } from './handlers/read-handlers.ts';
import { createPreparedExecutions } from './prepared-executions.ts';
import { createAnswerQuestion } from './questions/answer-question.ts';
import { createQuestionEmails, type QuestionEmailsDeps } from './questions/question-emails.ts';
import { createQuestionReads } from './questions/question-reads.ts';
import { createQuestionWatch } from './questions/watch-questions.ts';
import { createReadiness } from './readiness.ts';
import { createRecoverExecutions } from './recover-executions.ts';
import { createRetryDeadExecution, type RetryDeadExecution } from './retry-dead-execution.ts';
import { createExecutions, type Executions } from './service.ts';
import { createRecentRows } from './store/recent-rows.ts';
import { recordedOf } from './store/recorded-run.ts';
import { executionRepository } from './store/repository.ts';
import { createStoreNew } from './store/store-new.ts';
import { createTestLogRead } from './store/test-run-rows.ts';
import { createRunTestsTool } from './test-runs/run-tests-tool.ts';
import { createTestRuns } from './test-runs/test-runs.ts';
import { createCallReads } from './tools/stored-turns.ts';
import { createToolLoop } from './tools/tool-loop.ts';
import { RunEnds } from './transitions/end-run.ts';
import { createTransitions } from './transitions/transitions.ts';
import { createBeginAttempt, type RememberedRun } from './work/begin-attempt.ts';
import { createStoreCancelledCost } from './work/cancelled-cost.ts';
import { createExecutionWorker } from './work/execution-worker.ts';
import { RunChanges } from './work/run-changes.ts';
import { RunWeights } from './work/run-weights.ts';
import { createStepRunner } from './work/step-runner.ts';

export type RunsDeps = {
  /** For API calls. */
  db: Db;
  run: RunStatement;
  /** For writing statements of API calls, each in its own transaction. */
  store: RunStatement;
  /** For the workers. */
  work: { db: Db; pool: pg.Pool; run: RunStatement };
  queue: WorkQueue;
  limits: ExecutionLimits;
  bus: Bus;
  models: Models;
  prices: PriceList;
  budgets: Pick<Budgets, 'ofNewRun' | 'ofFork'>;
  /** Whether the operator limits the tokens on the server's keys. */
  limitsLentKeys: boolean;
  newId: () => string;
  now: () => Date;
  log: { warn: (about: object, line: string) => void; error: (about: object, line: string) => void };
  questionEmails: Pick<QuestionEmailsDeps, 'mailer' | 'ownerOf' | 'countEmail' | 'address'>;
  /** Give the agents of runs tools. */
  toolProviders: readonly ToolProvider[];
  /** Encrypts turns of models. */
  secrets: Pick<SecretBox, 'seal' | 'open'>;
  agents: Pick<AgentService, 'modelConfig' | 'modelConfigs' | 'modelConfigFrom' | 'statusesOf'>;
  projects: Pick<ProjectService, 'resolve' | 'canvas' | 'testCommand' | 'fetchHosts' | 'assertCanvasVersion'>;
  inputs: InputsOfRuns;
  storage: Pick<AccountStorage, 'storing'>;
  /** Executes the tests of projects. */
  runner: CurrentRunner;
  /** The longest time of a test command. */
  runnerSeconds: number;
  /** Tells whether a run was pushed to a repository. */
  isPublished: (executionId: string) => Promise<boolean>;
  /** Tells whether a project is published to the repository. */
  isOwnRepository: (projectId: string, url: string) => Promise<boolean>;
};

/** The limits of one account on all nodes together. */
export type ExecutionLimits = {
  /** Running executions. */
  maxAtWork: number;
  /** Started and unfinished executions. */
  maxStarted: number;
  maxPipelines: number;
};

type RunHandlers = Pick<
  Handlers,
  Extract<
    keyof Handlers,
    `pipeline.${string}` | `execution.${string}` | `result.${string}` | `question.${string}` | `questionLink.${string}`
  >
>;
/** The calls of the publishing module are below the same path. */
type PublishingCalls = 'execution.publication' | 'execution.publish' | 'execution.bundle' | 'execution.followUp';

export type Runs = {
  handlers: Omit<RunHandlers, PublishingCalls>;
  executions: Executions;
  pipelines: Pipelines;
  ofProject: RunsOfProject;
  /** What is published of a run. */
  publishing: {
    publishable: (userId: string, executionId: string) => Promise<PublishableRun>;
    list: (userId: string, executionId: string, language: Language) => Promise<ExecutionFiles>;
    changes: (executionId: string) => Promise<PublishedFile[]>;
    describe: (userId: string, executionId: string) => Promise<PullRequest>;
    base: (executionId: string) => Promise<BaseFile[]>;
    origin: (executionId: string) => Promise<TreeListing | null>;
  };
  retryDead: RetryDeadExecution;
  /** Counts all users' executions by status. */
  countByStatus: () => Promise<Record<ExecutionStatus, number>>;
  /** Begins to end due questions, and to send emails about open ones. */
  watchQuestions: (everyMs: number) => void;
  /** Stops runs with which a step was tried, and that were not chosen for a day. */
  stopLeftTrials: () => Promise<void>;
  /** Ends the thread that compares files, and the watch. */
  close: () => Promise<void>;
};

/** The delay before the first retry of a model call (ms); it doubles. */
const backoffMs = 1_000;

/** Estimates the memory of a run: its texts, and a constant for each step (characters). */
const weightOfRun = ({ known: { row, steps } }: RememberedRun) =>
  steps.reduce((sum, step) => sum + 1_000 + step.systemPrompt.length, row.initialTask.length + 200 * (row.graph?.links.length ?? 0));

/** Creates pipelines, executions and their history. */
export function createRuns(deps: RunsDeps): Runs {
  const { db, run, work, bus, queue, limits, newId, now, log, agents, projects, inputs } = deps;
  const repository = executionRepository(db);
  const { transition } = createTransitions({ db, run, bus, now });
  const weights = new RunWeights();
  const recent = createRecentRows<RememberedRun>(weightOfRun);
  const recorder = createRecorder(newId, now);
  const transitions = createTransitions({ ...work, bus, now });
  const filesInAnswer = createFilesInAnswer(work.db, inputFiles(work.db));
  const runEnds = new RunEnds(recorder);
  const changes = new RunChanges({ runEnds, filesInAnswer, queue, newId });
  const attempts = createBeginAttempt({ ...transitions, queue, changes, agents });
  const thread = createFileThread(log);
  const { runner: testRunner, runnerSeconds: seconds } = deps;
  const tests = createTestRuns({ runner: testRunner, seconds, db: work.db, bus, projects, thread, filesInAnswer, now, elapsed, log });
  const providers = [...deps.toolProviders, createRunTestsTool({ tests, now })];
  const tools = createToolLoop({ providers, db: work.db, secrets: deps.secrets, log });
  const metering = { prices: deps.prices, ledger: createSpendLedger(work.run), limitsLentKeys: deps.limitsLentKeys, newId, now };
  const readSettings = createReadStepSettings({ run: work.run, agents });
  const readRoom = createReadRoom(work.run);
  const storeCancelledCost = createStoreCancelledCost({ transition: transitions.transition, recorder });
  const computing = createComputeThread(log);
  const runner = createStepRunner({
    bus,
    models: deps.models,
    metering,
    readSettings,
    readRoom,
    storeCancelledCost,
    inputs,
    tools,
    tests,
    log,
    backoffMs,
    elapsed,
  });
  const recover = createRecoverExecutions({ pool: work.pool, queue, transition: transitions.transition, runEnds, newId });
  const { maxAtWork: maxPerAccount, maxStarted } = limits;
  createExecutionWorker({
    ...transitions,
    queue,
    attempts,
    changes,
    runner,
    runEnds,
    agents,
    db: work.db,
    bus,
    elapsed,
    log,
    recent,
    weights,
    recover,
    maxPerAccount,
    stepsOf: executionRepository(work.db).stepsOfJob,
  });
  const storeNew = createStoreNew({ db, run: deps.store, recorder, queue, storage: deps.storage, maxStarted });
  const pipelines = createPipelines({ db, run, newId, projects, agents, maxPipelines: limits.maxPipelines });
  const executions = createExecutions({
    storeNew,
    newId,
    now,
    repository,
    transition,
    attempts,
    runEnds,
    queue,
    recent,
    weights,
    pipelines,
    projects,
    inputs,
    isOwnRepository: deps.isOwnRepository,
    maxStarted,
    budgets: deps.budgets,
  });
  const answering = { runEnds, queue, newId };
  const answers = createAnswerQuestion({ ...answering, transition, filesInAnswer: createFilesInAnswer(db, inputFiles(db)) });
  const questionReads = createQuestionReads({ db, repository, projects, now });
  const sendEmails = createQuestionEmails({ ...deps.questionEmails, db, now });
  const expiring = createAnswerQuestion({ ...answering, transition: transitions.transition, filesInAnswer });
  const watch = createQuestionWatch({ db: work.db, answers: expiring, sendEmails, now, log });
  const prepared = createPreparedExecutions({
    storeNew,
    newId,
    now,
    transition,
    recorder,
    queue,
    maxStarted,
    pipelines,
    inputs,
    isOwnRepository: deps.isOwnRepository,
    budgets: deps.budgets,
  });
  const forks = createForks({
    db,
    repository,
    pipelines,
    agents,
    projects,
    models: deps.models,
    prices: metering.prices,
    tools,
    filesInAnswer: createFilesInAnswer(db, inputFiles(db)),
    storeNew,
    queue,
    budgets: deps.budgets,
    newId,
    now,
  });
  const files = createExecutionFiles({ db, repository, thread, isPublished: deps.isPublished });
  const reads = createExecutionReads({ repository, pipelines, files, thread: computing, now });
  const agentsWithoutTools = async (userId: string, ids: readonly string[]) => {
    const configs = await agents.modelConfigs(userId, ids);
    return configs.filter(({ providerType, model }) => !modelCallsTools(providerType, model));
  };
  const canRunTests = async (projectId: string) => (await tests.commandOf(projectId)) !== null;
  const diagnosis = createDiagnosis({ projects, agents, pipelines, agentsWithoutTools, canRunTests, thread: computing });
  const readiness = createReadiness({ pipelines, diagnosis, agents, models: deps.models });
  const results = createResults({
    db,
    newId,
    now,
    projects,
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
      ...executionChangeHandlers(prepared, { transition, queue, newId, maxStarted }),
      ...executionFileHandlers(files),
      ...forkHandlers(forks, createCompareRuns({ db, repository })),
      ...questionHandlers({ db, reads: questionReads, answers, transition }),
      ...executionReadHandlers({
        executions,
        reads,
        readiness,
        calls: createCallReads({ db, repository }),
        testLog: createTestLogRead({ db, repository }),
      }),
      ...resultHandlers(results),
    },
    publishing: {
      publishable: files.publishable,
      list: files.list,
      changes: files.changes,
      describe: files.publishedRequest,
      base: inputFiles(db).contents,
      origin: inputFiles(db).origin,
    },
    retryDead: createRetryDeadExecution({ transition, queue, recorder, newId }),
    countByStatus: repository.countByStatus,
    watchQuestions: watch.start,
    stopLeftTrials: createStopLeftTrials({ run: work.run, executions, now, log }),
    close: async () => {
      await watch.stop();
      await Promise.all([thread.close(), computing.close()]);
    },
  };
}
