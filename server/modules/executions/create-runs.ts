import type pg from 'pg';
import { modelCallsTools } from '../../../contract/agent.ts';
import type { ExecutionStatus } from '../../../contract/executions/execution.ts';
import type { ExecutionFiles, PullRequest } from '../../../contract/executions/file.ts';
import type { Question } from '../../../contract/executions/question.ts';
import type { Handlers, Language } from '../../http/call.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import { elapsed } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import type { BaseFile, TreeListing } from '../../platform/git/git-messages.ts';
import type { Models } from '../../platform/llm/choose-model.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { PriceList } from '../../platform/prices/price-list.ts';
import { createComputeThread } from '../../platform/processes/compute-thread.ts';
import type { CurrentRunner } from '../../platform/runner/runner.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';
import type { AgentService } from '../agents/index.ts';
import { type Budgets, createReadStepLimits, createReadStepSettings, createSpendLedger } from '../budgets/index.ts';
import { createFilesInAnswer, createFileThread } from '../files/index.ts';
import { InputFiles, type InputsOfRuns } from '../inputs/index.ts';
import { createDiagnosis, createPipelines, type Pipelines, pipelineHandlers } from '../pipelines/index.ts';
import type { ProjectService, RunsOfProject } from '../projects/index.ts';
import { createRecorder, createResults, resultHandlers } from '../results/index.ts';
import type { AccountStorage } from '../storage/index.ts';
import type { TeamVersions } from '../team-versions/index.ts';
import type { ToolProvider } from '../tools/index.ts';
import { createExecutionReads } from './execution-reads.ts';
import { FilesOfExecutions, type PublishableRun, type PublishedFile } from './files/execution-files.ts';
import { createCompareRuns } from './forks/compare-runs.ts';
import { createForks } from './forks/forks.ts';
import { createStopLeftTrials } from './forks/stop-left-trials.ts';
import { executionFileHandlers } from './handlers/file-handlers.ts';
import { forkHandlers } from './handlers/fork-handlers.ts';
import { executionHandlers } from './handlers/handlers.ts';
import { answerQuestion, questionHandlers } from './handlers/question-handlers.ts';
import { executionReadHandlers } from './handlers/read-handlers.ts';
import type { PreparedExecutions } from './prepared-executions.ts';
import { createPreparedExecutions } from './prepared-executions.ts';
import { QuestionAnswers } from './questions/question-answers.ts';
import { createQuestionEmails, type QuestionEmailsDeps } from './questions/question-emails.ts';
import { createQuestionReads, type QuestionReads } from './questions/question-reads.ts';
import { createQuestionWatch } from './questions/watch-questions.ts';
import { createReadiness } from './readiness.ts';
import { createRecoverExecutions } from './recover-executions.ts';
import { createRetryDeadExecution, type RetryDeadExecution } from './retry-dead-execution.ts';
import { runSingleStep, type SingleStepDeps } from './run-single-step.ts';
import { Executions } from './service.ts';
import { createRecentRows } from './store/recent-rows.ts';
import { recordedOf } from './store/recorded-run.ts';
import { ExecutionRepository } from './store/repository.ts';
import { createStoreNew } from './store/store-new.ts';
import { createTestLogRead } from './store/test-run-rows.ts';
import { createRunTestsTool } from './test-runs/run-tests-tool.ts';
import { TestRuns } from './test-runs/test-runs.ts';
import { createCallReads } from './tools/stored-turns.ts';
import { createToolLoop } from './tools/tool-loop.ts';
import { RunEnds } from './transitions/end-run.ts';
import { createTransitions } from './transitions/transitions.ts';
import { createBeginAttempt, type RememberedRun } from './work/begin-attempt.ts';
import { createStoreCancelledCost } from './work/cancelled-cost.ts';
import { createExecutionWorker } from './work/execution-worker.ts';
import { RunChanges } from './work/run-changes.ts';
import { RunWeights } from './work/run-weights.ts';
import { StepRunner } from './work/step-runner.ts';

type Names = 'execution.create' | 'execution.update' | 'execution.remove' | 'execution.runStep';

function executionChangeHandlers(prepared: PreparedExecutions, deps: SingleStepDeps): Pick<Handlers, Names> {
  return {
    'execution.create': ({ user, body, language, idempotencyKey, storeIdempotentResponse }) =>
      prepared.create(
        { userId: user.ownerId, creation: body, language: user.language ?? language, key: user.key },
        idempotencyKey === null ? null : storeIdempotentResponse,
      ),
    'execution.update': ({ user, params, body }) => prepared.update(user.ownerId, params.id, body, user.key),
    'execution.remove': ({ user, params }) => prepared.remove(user.ownerId, params.id),
    'execution.runStep': ({ user, params, language, storeIdempotentResponse }) =>
      runSingleStep(deps, { userId: user.ownerId, executionId: params.id, stepId: params.stepId, language, storeIdempotentResponse }),
  };
}

type RunsDeps = {
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
  /** Called when a run has stored deliveries for receivers of its project. */
  onTold: () => void;
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
  projects: Pick<ProjectService, 'resolve' | 'get' | 'canvas' | 'testCommand' | 'installPolicy' | 'fetchHosts' | 'assertCanvasVersion'>;
  teams: Pick<TeamVersions, 'ensureNow' | 'assertWhole'>;
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
type ExecutionLimits = {
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
  /** The files that a run has written. */
  files: Pick<FilesOfExecutions, 'list' | 'content'>;
  questions: Pick<QuestionReads, 'ofExecution' | 'find' | 'details'> & {
    answer: (answer: Parameters<typeof answerQuestion>[1]) => Promise<Question>;
  };
  ofProject: RunsOfProject;
  /** What is published of a run. */
  publishing: {
    publishable: (userId: OwnerId, executionId: string) => Promise<PublishableRun>;
    list: (userId: OwnerId, executionId: string, language: Language) => Promise<ExecutionFiles>;
    changes: (executionId: string) => Promise<PublishedFile[]>;
    describe: (userId: OwnerId, executionId: string) => Promise<PullRequest>;
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
  const { db, work, now, log } = deps;
  const shared = createShared(deps);
  const { repository, pipelines } = shared;
  const workers = createWorkers(shared);
  const { thread, expiring } = workers;
  const computing = createComputeThread(log);
  const executions = new Executions({ ...shared, ...workers });
  const files = new FilesOfExecutions({ ...shared, thread });
  const questions = {
    reads: createQuestionReads({ ...shared, ownerOf: deps.questionEmails.ownerOf }),
    answers: new QuestionAnswers(shared),
  };
  const sendEmails = createQuestionEmails({ ...deps.questionEmails, db, now });
  const watch = createQuestionWatch({ db: work.db, answers: expiring, sendEmails, now, log });
  return {
    executions,
    pipelines,
    files,
    questions: {
      ofExecution: questions.reads.ofExecution,
      find: questions.reads.find,
      details: questions.reads.details,
      answer: (answer) => answerQuestion(questions, answer),
    },
    ofProject: {
      unfinishedStatus: (tx, projectId) => new ExecutionRepository(tx).unfinishedStatusIn(projectId),
      count: async (projectId) => ({ ...(await repository.countsOf(projectId)), totalPipelines: await pipelines.countIn(projectId) }),
    },
    handlers: createHandlers({ ...shared, ...workers, executions, files, questions, computing }),
    publishing: {
      publishable: (userId, id) => files.publishable(userId, id),
      list: (userId, id, language) => files.list(userId, id, language),
      changes: (id) => files.changes(id),
      describe: (userId, id) => files.publishedRequest(userId, id),
      base: (id) => new InputFiles(db).contents(id),
      origin: (id) => new InputFiles(db).origin(id),
    },
    retryDead: createRetryDeadExecution(shared),
    countByStatus: () => repository.countByStatus(),
    watchQuestions: watch.start,
    stopLeftTrials: createStopLeftTrials({ run: work.run, executions, now, log }),
    close: async () => {
      await watch.stop();
      await Promise.all([thread.close(), computing.close()]);
    },
  };
}

type Shared = ReturnType<typeof createShared>;

function createShared(deps: RunsDeps) {
  const { db, newId, now } = deps;
  const { maxStarted, maxPipelines } = deps.limits;
  const recorder = createRecorder(newId, now);
  const weights = new RunWeights();
  return {
    ...deps,
    weights,
    repository: new ExecutionRepository(db),
    recorder,
    runEnds: new RunEnds(recorder),
    transition: createTransitions(deps).transition,
    pipelines: createPipelines({ ...deps, maxPipelines }),
    storeNew: createStoreNew({ ...deps, run: deps.store, recorder, maxStarted, inTurn: (steps, store) => weights.inTurn(steps, store) }),
    filesInAnswer: createFilesInAnswer(db, new InputFiles(db)),
    maxStarted,
  };
}

/** Creates the worker of executions, with connections of its own. */
function createWorkers(shared: Shared) {
  const { work, log, now, limits } = shared;
  const filesInAnswer = createFilesInAnswer(work.db, new InputFiles(work.db));
  const ofWork = { ...shared, ...work, ...createTransitions({ ...shared, ...work }), filesInAnswer, elapsed };
  const changes = new RunChanges(ofWork);
  const attempts = createBeginAttempt({ ...ofWork, changes });
  const thread = createFileThread(log);
  const tests = new TestRuns({ ...ofWork, thread, seconds: shared.runnerSeconds });
  const tools = createToolLoop({ ...ofWork, providers: [...shared.toolProviders, createRunTestsTool({ tests, now })] });
  const runner = new StepRunner({
    ...ofWork,
    metering: { ...ofWork, ledger: createSpendLedger(work.run) },
    readSettings: createReadStepSettings(ofWork),
    readStepLimits: createReadStepLimits(work.run),
    storeCancelledCost: createStoreCancelledCost(ofWork),
    tools,
    tests,
    backoffMs,
  });
  const recent = createRecentRows<RememberedRun>(weightOfRun);
  createExecutionWorker({
    ...ofWork,
    attempts,
    changes,
    runner,
    recent,
    recover: createRecoverExecutions({ ...ofWork, pool: work.pool }),
    maxPerAccount: limits.maxAtWork,
    stepsOf: (jobId) => new ExecutionRepository(work.db).countSteps({ jobId }),
  });
  return { attempts, recent, thread, tests, tools, expiring: new QuestionAnswers(ofWork) };
}

type HandlersDeps = Shared &
  ReturnType<typeof createWorkers> & {
    executions: Executions;
    files: FilesOfExecutions;
    questions: { reads: QuestionReads; answers: QuestionAnswers };
    computing: ReturnType<typeof createComputeThread>;
  };

function createHandlers(deps: HandlersDeps): Runs['handlers'] {
  const { repository, agents, executions, tests, files, computing: thread } = deps;
  const agentsWithoutTools = async (userId: OwnerId, ids: readonly string[]) => {
    const configs = await agents.modelConfigs(userId, ids);
    return configs.filter(({ providerType, model }) => !modelCallsTools(providerType, model));
  };
  const canRunTests = async (projectId: string) => (await tests.commandOf(projectId)) !== null;
  const diagnosis = createDiagnosis({ ...deps, agentsWithoutTools, canRunTests, thread });
  const prepared = createPreparedExecutions(deps);
  const ofResults = { taskOf: (userId: OwnerId, id: string) => repository.taskOf(userId, id), recorded: recordedOf(repository) };
  return {
    ...pipelineHandlers({ ...deps, diagnosis, unfinishedStatus: (id) => repository.unfinishedStatus(id) }),
    ...executionHandlers(executions, prepared),
    ...executionChangeHandlers(prepared, deps),
    ...executionFileHandlers(files),
    ...forkHandlers(createForks(deps), createCompareRuns(deps)),
    ...questionHandlers({ ...deps, ...deps.questions }),
    ...executionReadHandlers({
      executions,
      reads: createExecutionReads({ ...deps, thread }),
      readiness: createReadiness({ ...deps, diagnosis }),
      calls: createCallReads(deps),
      testLog: createTestLogRead(deps),
    }),
    ...resultHandlers(createResults({ ...deps, executions: ofResults })),
  };
}
