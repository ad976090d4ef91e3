import type { Execution, ExecutionStart } from '../../../../contract/executions/execution.ts';
import type { ExecutionEvent } from '../../../../contract/executions/execution-event.ts';
import type { Pipeline, PipelineCreation } from '../../../../contract/executions/pipeline.ts';
import type { RunHolds } from '../../../../contract/executions/question.ts';
import { stepSettings } from '../../../../contract/executions/run-graph.ts';
import { searchHistory } from '../../../../src/model/console/search-history.ts';
import { maxHistoryLength } from '../../../../src/model/page-lengths.ts';
import type { RouteMap } from '../../../../src/workers/engine/backends/port.ts';
import { aStep } from '../a-step.ts';
import { projectId, uuid } from '../samples.ts';
import { illegalState, missing, noLaterStep, now, type Once, ok, questionAnswered, staleAnswer } from './answers.ts';
import type { FakeRun, FakeServer, RunContext } from './fake-server.ts';

/** The calls about pipelines, runs, their questions and their results. */
export function runCalls(server: FakeServer, once: Once) {
  const find = (id: string) => server.runs.find(({ execution }) => execution.id === id);
  const findQuestion = (id: string) => server.questions.find((one) => one.id === id);
  const control =
    (type: ExecutionEvent['type'], changes: Partial<Execution>) =>
    ({ params: { id } }: { params: { id: string } }) => {
      const run = find(id);
      if (!run) return missing;
      server.emit(run, type, changes);
      return ok(structuredClone(run.execution));
    };
  return {
    'execution.byStatus': ({ params: { status } }) =>
      ok(server.runs.map(({ execution }) => execution).filter((one) => one.status === status)),
    'pipeline.create': ({ body, idempotencyKey }) =>
      once('pipeline', idempotencyKey, () =>
        (body.canvasVersion ?? server.canvas.version) !== server.canvas.version ? staleAnswer : ok(createPipeline(server, body)),
      ),
    'pipeline.get': ({ params: { id } }) => {
      const pipeline = server.pipelines.get(id);
      return pipeline ? ok(pipeline) : missing;
    },
    'execution.fork': ({ params: { id: executionId }, body: request = {} }) => {
      if (request.dryRun) return missing;
      server.forks.push({ executionId, request });
      server.onFork(request);
      return missing;
    },
    'pipeline.remove': ({ params: { id } }) => {
      server.pipelines.delete(id);
      return ok(undefined);
    },
    'execution.list': ({ query }) =>
      ok(
        server.runs
          .map((run) => run.execution)
          .filter(({ projectId, status }) => projectId === query?.projectId && status === (query.status ?? status))
          .toReversed(),
      ),
    'execution.details': ({ params: { id } }) => {
      const run = find(id);
      if (!run) return missing;
      const begunWith = run.start.inputData?.begunWith;
      return ok(structuredClone({ ...run.execution, steps: run.steps, ...(begunWith && { begunWith }) }));
    },
    'execution.logs': ({ params: { id }, query }) => {
      const run = find(id);
      return run ? ok(structuredClone(run.events.filter(({ seq }) => seq > Number(query?.since)).slice(0, Number(query?.limit)))) : missing;
    },
    'execution.create': ({ body, idempotencyKey }) =>
      once('create', idempotencyKey, () => ok(structuredClone(makeRun(server, body, true).execution))),
    'execution.remove': ({ params: { id } }) => {
      const at = server.runs.findIndex(({ execution }) => execution.id === id);
      if (at < 0) return missing;
      if (!server.runs[at]?.execution.held) return illegalState;
      server.runs.splice(at, 1);
      return ok(undefined);
    },
    'execution.start': ({ body: start, idempotencyKey }) =>
      once('start', idempotencyKey, () => {
        const run = start.executionId ? find(start.executionId) : makeRun(server, start, false);
        if (!run) return missing;
        if (start.executionId && !run.execution.held) return illegalState;
        run.execution.held = false;
        const answer = structuredClone(run.execution);
        server.emit(run, 'execution.started', { status: 'running' });
        return ok({ ...answer, ...structuredClone(run.execution) });
      }),
    'execution.pause': control('execution.pausing', { pauseRequested: true }),
    'execution.resume': control('execution.resumed', { status: 'running', pauseRequested: false }),
    'execution.nextStep': control('execution.resumed', { status: 'running', pauseRequested: false }),
    'execution.stop': control('execution.cancelled', { status: 'cancelled' }),
    'execution.addContext': ({ params: { id }, body, idempotencyKey }) =>
      once('context', idempotencyKey, () => {
        const run = find(id);
        if (!run) return missing;
        if (!run.steps.some(({ status }) => status === 'pending')) return noLaterStep;
        run.contexts.push(body as RunContext);
        server.emit(run, 'context.added', {}, { text: body.content });
        return ok(structuredClone(run.execution));
      }),
    'execution.setHolds': ({ params: { id }, body }) => {
      const holds = body as RunHolds;
      const run = find(id);
      if (!run) return missing;
      run.execution.holds = holds;
      server.emit(run, 'holds.changed', {}, { holds });
      return ok(structuredClone(run.execution));
    },
    'question.list': () => ok(structuredClone(server.questions.filter(({ state }) => state === 'open'))),
    'question.get': ({ params: { id } }) => {
      const question = findQuestion(id);
      return question ? ok({ ...question, draft: null, before: [] }) : missing;
    },
    'question.createLink': ({ params: { id } }) => {
      const question = findQuestion(id);
      return question ? ok({ token: `of-${id}`, path: `/q/of-${id}`, expiresAt: question.dueAt }) : missing;
    },
    'question.answer': ({ params: { id }, body: answer, idempotencyKey }) =>
      once('answer', idempotencyKey, () => {
        const question = findQuestion(id);
        if (!question) return missing;
        if (question.state !== 'open') return questionAnswered;
        const { values: _values, ...given } = answer;
        Object.assign(question, { state: 'answered', answer: given, answeredBy: 'Ann' });
        return ok(structuredClone(question));
      }),
    'result.list': () => ok(server.results.slice(0, maxHistoryLength)),
    'result.search': ({ query }) => {
      const found = searchHistory(server.results, query?.q ?? '');
      return { ...ok(found.slice(0, maxHistoryLength)), total: found.length };
    },
    'result.get': ({ params: { id } }) => {
      const item = server.results.find((one) => one.id === id);
      return item ? ok(item) : missing;
    },
    'result.remove': ({ params: { id } }) => {
      server.results = server.results.filter((item) => item.id !== id);
      return ok(undefined);
    },
    'execution.files': () => ok({ files: [], refused: [] }),
  } satisfies Partial<RouteMap>;
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
