import type { Execution, ExecutionStart } from '../../../../contract/executions/execution.ts';
import type { Pipeline, PipelineCreation } from '../../../../contract/executions/pipeline.ts';
import { stepSettings } from '../../../../contract/executions/run-graph.ts';
import { searchHistory } from '../../../../src/model/console/search-history.ts';
import { maxHistoryLength } from '../../../../src/model/reader.ts';
import { isUnderWay } from '../../../../src/model/workspace-state.ts';
import type { Backend } from '../../../../src/workers/engine/backends/port.ts';
import { aStep } from '../a-step.ts';
import { projectId, uuid } from '../samples.ts';
import { illegalState, missing, noLaterStep, now, type Once, ok, questionAnswered, staleAnswer } from './answers.ts';
import type { FakeRun, FakeServer } from './fake-server.ts';

/** The calls about pipelines, runs, their questions and their results. */
export function runCalls(server: FakeServer, once: Once) {
  const find = (id: string) => server.runs.find(({ execution }) => execution.id === id);
  const findQuestion = (id: string) => server.questions.find((one) => one.id === id);
  return {
    listUnderWay: async () => ok(server.runs.map(({ execution }) => execution).filter((one) => !one.held && isUnderWay(one))),
    createPipeline: async (creation, { idempotencyKey }) =>
      once('pipeline', idempotencyKey, () =>
        (creation.canvasVersion ?? server.canvas.version) !== server.canvas.version ? staleAnswer : ok(createPipeline(server, creation)),
      ),
    readPipeline: async (id) => {
      const pipeline = server.pipelines.get(id);
      return pipeline ? ok(pipeline) : missing;
    },
    fork: async (executionId, request) => {
      server.forks.push({ executionId, request });
      server.onFork(request);
      return missing;
    },
    removePipeline: async (id) => {
      server.pipelines.delete(id);
      return ok(undefined);
    },
    listExecutions: async (of) =>
      ok(
        server.runs
          .map((run) => run.execution)
          .filter((one) => one.projectId === of)
          .toReversed(),
      ),
    readExecution: async (id) => {
      const run = find(id);
      if (!run) return missing;
      const begunWith = run.start.inputData?.begunWith;
      return ok(structuredClone({ ...run.execution, steps: run.steps, ...(begunWith && { begunWith }) }));
    },
    readLogs: async (id, since, limit) => {
      const run = find(id);
      return run ? ok(structuredClone(run.events.filter(({ seq }) => seq > since).slice(0, limit))) : missing;
    },
    createExecution: async (creation, { idempotencyKey }) =>
      once('create', idempotencyKey, () => ok(structuredClone(makeRun(server, creation, true).execution))),
    removeExecution: async (id) => {
      const at = server.runs.findIndex(({ execution }) => execution.id === id);
      if (at < 0) return missing;
      if (!server.runs[at]?.execution.held) return illegalState;
      server.runs.splice(at, 1);
      return ok(undefined);
    },
    listWaiting: async (of) =>
      ok(structuredClone(server.runs.flatMap(({ execution: one }) => (one.held && one.projectId === of ? [one] : [])).toReversed())),
    startExecution: async (start, { idempotencyKey }) =>
      once('start', idempotencyKey, () => {
        const run = start.executionId ? find(start.executionId) : makeRun(server, start, false);
        if (!run) return missing;
        if (start.executionId && !run.execution.held) return illegalState;
        run.execution.held = false;
        const answer = structuredClone(run.execution);
        server.emit(run, 'execution.started', { status: 'running' });
        return ok({ ...answer, ...structuredClone(run.execution) });
      }),
    controlExecution: async (id, action) => {
      const run = find(id);
      if (!run) return missing;
      if (action === 'pause') server.emit(run, 'execution.pausing', { pauseRequested: true });
      if (action === 'resume' || action === 'nextStep') server.emit(run, 'execution.resumed', { status: 'running', pauseRequested: false });
      if (action === 'stop') server.emit(run, 'execution.cancelled', { status: 'cancelled' });
      return ok(structuredClone(run.execution));
    },
    addContext: async (id, context, { idempotencyKey }) =>
      once('context', idempotencyKey, () => {
        const run = find(id);
        if (!run) return missing;
        if (!run.steps.some(({ status }) => status === 'pending')) return noLaterStep;
        run.contexts.push(context);
        server.emit(run, 'context.added', {}, { text: context.content });
        return ok(structuredClone(run.execution));
      }),
    setHolds: async (id, holds) => {
      const run = find(id);
      if (!run) return missing;
      run.execution.holds = holds;
      server.emit(run, 'holds.changed', {}, { holds });
      return ok(structuredClone(run.execution));
    },
    listQuestions: async () => ok(structuredClone(server.questions.filter(({ state }) => state === 'open'))),
    readQuestion: async (id) => {
      const question = findQuestion(id);
      return question ? ok({ ...question, draft: null, before: [] }) : missing;
    },
    createQuestionLink: async (id) => {
      const question = findQuestion(id);
      return question ? ok({ token: `of-${id}`, path: `/q/of-${id}`, expiresAt: question.dueAt }) : missing;
    },
    answerQuestion: async (id, answer, { idempotencyKey }) =>
      once('answer', idempotencyKey, () => {
        const question = findQuestion(id);
        if (!question) return missing;
        if (question.state !== 'open') return questionAnswered;
        const { values: _values, ...given } = answer;
        Object.assign(question, { state: 'answered', answer: given, answeredBy: 'Ann' });
        return ok(structuredClone(question));
      }),
    listResults: async () => ok(server.results.slice(0, maxHistoryLength)),
    searchResults: async (_, text) => {
      const found = searchHistory(server.results, text);
      return ok({ items: found.slice(0, maxHistoryLength), total: found.length });
    },
    readResult: async (id) => {
      const item = server.results.find((one) => one.id === id);
      return item ? ok(item) : missing;
    },
    removeResult: async (id) => {
      server.results = server.results.filter((item) => item.id !== id);
      return ok(undefined);
    },
    listFiles: async () => ok({ files: [], refused: [] }),
  } satisfies Partial<Backend>;
}

function createPipeline(
  server: FakeServer,
  { name, description = '', steps, configuration = '{}', links, groups, maxParallel }: PipelineCreation,
): Pipeline {
  const id = uuid(server.nextNumber(), 2);
  const pipeline: Pipeline = {
    id,
    name,
    description,
    projectId,
    configuration,
    status: 'ready',
    maxExecutionTimeSeconds: null,
    isDemo: false,
    createdAt: now,
    updatedAt: now,
    ...(links && { links }),
    ...(groups && { groups: groups.map(({ id, onFailure = 'stop' }) => ({ id, onFailure })) }),
    ...(maxParallel !== undefined && { maxParallel }),
    steps: steps.map((step, orderIndex) => ({
      id: uuid(server.nextNumber(), 3),
      name: step.name,
      description: step.description ?? '',
      orderIndex,
      agentId: step.agentId,
      nodeId: step.nodeId ?? null,
      timeoutSeconds: step.timeoutSeconds ?? 0,
      type: step.type ?? 1,
      ...(step.settings && { settings: stepSettings.parse(step.settings) }),
      ...(step.groupId !== undefined && { groupId: step.groupId }),
    })),
  };
  server.pipelines.set(id, pipeline);
  return pipeline;
}

function makeRun(server: FakeServer, start: ExecutionStart, held: boolean): FakeRun {
  const pipeline = server.pipelines.get(start.pipelineId) as Pipeline;
  const execution: Execution = {
    id: uuid(server.nextNumber(), 4),
    pipelineId: pipeline.id,
    projectId,
    status: 'pending',
    held,
    pauseRequested: false,
    initialTask: start.initialTask ?? '',
    dialogNodeId: start.inputData?.dialogNode?.id ?? null,
    result: null,
    error: null,
    progress: 0,
    priority: 5,
    timeoutSeconds: 3_600,
    pauseBetweenStepsMs: start.pauseBetweenStepsMs ?? 0,
    ...(start.holds && { holds: { all: false, links: {}, ...start.holds } }),
    startedAt: null,
    completedAt: null,
    failedAt: null,
    lastSeq: 0,
    createdAt: now,
    updatedAt: now,
  };
  const steps = pipeline.steps.map(({ id, orderIndex, name, agentId, nodeId }) =>
    aStep(id, { orderIndex, name, agentId, nodeId, role: 'QA' }),
  );
  const run: FakeRun = { execution, steps, events: [], start, contexts: [] };
  server.runs.push(run);
  return run;
}
