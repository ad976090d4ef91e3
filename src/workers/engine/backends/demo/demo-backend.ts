import { searchHistory } from '../../../../model/console/search-history.ts';
import type { Answer, Backend, ExecutionAction, RouteMap } from '../port.ts';
import { createRefusingBackend, refusedAnswer } from '../refusing-backend.ts';
import { archiveOf, filesOf, pullRequestOf } from './delivered-files.ts';
import { demoAvailability, demoLoad, demoProjectStatistics, demoStatistics } from './demo-figures.ts';
import { demoFiles } from './demo-files.ts';
import type { DemoClock, DemoParts } from './demo-run.ts';
import { demoTestLog } from './demo-script.ts';
import { DemoSession } from './demo-session.ts';

const unavailable = 'demo.unavailable';

/**
 * A backend that plays a script. Only its runs change. It calls no server, and refuses everything that needs one.
 * W4.16 W9.05
 */
export function createDemoBackend(parts: DemoParts, clock: DemoClock): Backend {
  const demo = new DemoSession(parts, clock);
  return createRefusingBackend(unavailable, { ...projectAnswers(demo), ...runAnswers(demo), ...resultAnswers(demo) });
}

const projectAnswers = (demo: DemoSession) =>
  ({
    'project.get': async ({ params: { id } }) => found(await demo.open(id)),
    'project.canvas': async ({ params: { id } }) => {
      const script = await demo.loadScript(id);
      return found(script && { ...script.canvas, version: 1 });
    },
    'project.statistics': () => ok(demoProjectStatistics(demo.createdAt)),
    'agent.list': () => ok(demo.agents),
    'agent.statistics': ({ params: { id } }) => ok(demoStatistics(id, demo.createdAt)),
    'command.availability': ({ params: { agentId } }) => ok(demoAvailability(agentId, demo.runs, demo.createdAt)),
    'command.load': ({ params: { agentId } }) => ok(demoLoad(agentId, demo.runs)),
    'command.history': () => ok([]),
    'pipeline.create': ({ body }) => ok(demo.createPipeline(body)),
    'pipeline.get': ({ params: { id } }) => found(demo.pipeline?.id === id ? demo.pipeline : null),
    'pipeline.remove': () => ok(undefined),
  }) satisfies Partial<RouteMap>;

const runAnswers = (demo: DemoSession) => {
  const control =
    (action: ExecutionAction) =>
    ({ params: { id } }: { params: { id: string } }) => {
      const run = demo.find(id);
      return found(run?.control(action) ? run.execution : null);
    };
  return {
    'execution.list': () => ok(demo.runs.map(({ execution }) => execution).toReversed()),
    'execution.byStatus': () => ok([]),
    'question.list': () => ok([]),
    'execution.details': ({ params: { id } }) => {
      const run = demo.find(id);
      return found(run && { ...run.execution, steps: run.steps });
    },
    'execution.logs': ({ params: { id }, query }) => {
      const events = demo.find(id)?.events ?? [];
      return ok(events.filter(({ seq }) => seq > Number(query?.since)).slice(0, Number(query?.limit)));
    },
    'execution.start': ({ body: { inputData, startAfterMs = 0 } }) =>
      found(demo.start({ dialogNodeId: inputData?.dialogNode?.id ?? null, startAfterMs })),
    'execution.pause': control('pause'),
    'execution.resume': control('resume'),
    'execution.nextStep': control('nextStep'),
    'execution.stop': control('stop'),
    'execution.fork': async ({ params: { id }, body = {} }) => found(await demo.fork(id, body)),
    'budget.list': ({ query }) => {
      const run = demo.find(query?.executionId ?? '');
      return ok({ budgets: (run && demo.script.budgetsOf?.({ ...run.execution, steps: run.steps })) ?? [], currencies: [] });
    },
    'question.get': ({ params: { id } }) => found(demo.runs.map(({ question }) => question).find((question) => question?.id === id)),
  } satisfies Partial<RouteMap>;
};

const resultAnswers = (demo: DemoSession) =>
  ({
    'result.list': () => ok(demo.history),
    'result.search': ({ query }) => ok(searchHistory(demo.history, query?.q ?? '')),
    'result.get': ({ params: { id } }) => found(demo.history.find((item) => item.id === id)),
    'thought.ofProject': ({ query }) => ok(demo.runs.flatMap(({ thoughts }) => thoughts).slice(Number(query?.offset))),
    'execution.toolCalls': ({ params: { id }, query }) => {
      const ended = demo.find(id)?.events.filter(({ type }) => type === 'tool.ended') ?? [];
      return ok(ended.flatMap(({ call }) => (call?.stepId === query?.stepId ? (call ?? []) : [])));
    },
    'execution.testLog': ({ params: { id, stepId } }) => {
      const counts = demo.stepsOf(id).find((step) => step.stepId === stepId)?.testRun?.counts;
      return found(counts && demoTestLog(counts, demo.script.failure));
    },
    'execution.files': ({ params: { id } }) => ok({ files: filesOf(demo.stepsOf(id)), refused: [] }),
    'execution.fileContent': ({ query }) => found(demoFiles[query?.path ?? '']),
    'execution.archive': ({ params: { id } }) => ok(archiveOf(demo.stepsOf(id))),
    'execution.patch': ({ params: { id } }) => ok(pullRequestOf(demo.stepsOf(id), demo.texts.pullRequest).diff),
    'execution.pullRequest': ({ params: { id } }) => ok(pullRequestOf(demo.stepsOf(id), demo.texts.pullRequest)),
  }) satisfies Partial<RouteMap>;

const refused = refusedAnswer(unavailable);

/** Answers with a copy: what a run has changes. */
function ok<T>(value: T): Answer<T> {
  return { ok: true, value: structuredClone(value) };
}

function found<T>(value: T | null | undefined): Answer<T> {
  return value === null || value === undefined ? refused : ok(value);
}
