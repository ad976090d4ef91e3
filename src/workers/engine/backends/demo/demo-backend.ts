import { searchHistory } from '../../../../model/console/search-history.ts';
import type { Answer, Backend } from '../port.ts';
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

function projectAnswers(demo: DemoSession): Partial<Backend> {
  return {
    openProject: async (id) => found(await demo.open(id)),
    readCanvas: async (id) => {
      const script = await demo.loadScript(id);
      return found(script && { ...script.canvas, version: 1 });
    },
    projectStatistics: async () => ok(demoProjectStatistics(demo.createdAt)),
    listAgents: async () => ok(demo.agents),
    agentStatistics: async (agentId) => ok(demoStatistics(agentId, demo.createdAt)),
    agentAvailability: async (agentId) => ok(demoAvailability(agentId, demo.runs, demo.createdAt)),
    agentLoad: async (agentId) => ok(demoLoad(agentId, demo.runs)),
    createPipeline: async (creation) => ok(demo.createPipeline(creation)),
    readPipeline: async (id) => found(demo.pipeline?.id === id ? demo.pipeline : null),
    removePipeline: async () => ok(undefined),
    listCommands: async () => ok([]),
    newestCommand: async () => ok(null),
  };
}

function runAnswers(demo: DemoSession): Partial<Backend> {
  return {
    listExecutions: async () => ok(demo.runs.map(({ execution }) => execution).toReversed()),
    listUnderWay: async () => ok([]),
    listWaiting: async () => ok([]),
    listQuestions: async () => ok([]),
    readExecution: async (id) => {
      const run = demo.find(id);
      return found(run && { ...run.execution, steps: run.steps });
    },
    readLogs: async (id, since, limit) => {
      const events = demo.find(id)?.events ?? [];
      return ok(events.filter(({ seq }) => seq > since).slice(0, limit));
    },
    startExecution: async ({ inputData, startAfterMs = 0 }) =>
      found(demo.pipeline && demo.start({ pipeline: demo.pipeline, dialogNodeId: inputData?.dialogNode?.id ?? null, startAfterMs })),
    controlExecution: async (id, action) => {
      const run = demo.find(id);
      return found(run?.control(action) ? run.execution : null);
    },
    previewFork: async (id, request) => found((await demo.fork(id, request))?.preview),
    fork: async (id, request) => {
      const [fork, original] = [await demo.fork(id, request), demo.find(id)];
      const { pipeline } = demo;
      if (!fork || !original || !pipeline) return refused;
      const { dialogNodeId } = original.execution;
      const execution = demo.start({ pipeline, dialogNodeId, startAfterMs: 0, fork: { ...fork, of: id } });
      return ok({ ...fork.preview, execution });
    },
    readBudgets: async ({ executionId = '' }) => {
      const run = demo.find(executionId);
      return ok({ budgets: run ? demo.script.budgetsOf({ ...run.execution, steps: run.steps }) : [], currencies: [] });
    },
    readQuestion: async (id) => found(demo.runs.map(({ question }) => question).find((question) => question?.id === id)),
  };
}

function resultAnswers(demo: DemoSession): Partial<Backend> {
  return {
    listResults: async () => ok(demo.history),
    searchResults: async (_, text) => {
      const items = searchHistory(demo.history, text);
      return ok({ items, total: items.length });
    },
    readResult: async (id) => found(demo.history.find((item) => item.id === id)),
    listThoughts: async (_, leftOut) => ok(demo.runs.flatMap(({ thoughts }) => thoughts).slice(leftOut)),
    listCalls: async (id, stepId) => ok(demo.find(id)?.calls.filter((call) => call.stepId === stepId) ?? []),
    readTestLog: async (id, stepId) => {
      const counts = demo.stepsOf(id).find((step) => step.stepId === stepId)?.testRun?.counts;
      return found(counts && demoTestLog(counts, demo.script.failure));
    },
    listFiles: async (id) => ok({ files: filesOf(demo.stepsOf(id)), refused: [] }),
    readFile: async (_, path) => found(demoFiles[path]),
    archiveFiles: async (id) => ok(archiveOf(demo.stepsOf(id))),
    readPatch: async (id) => ok(pullRequestOf(demo.stepsOf(id), demo.texts.pullRequest).diff),
    readPullRequest: async (id) => ok(pullRequestOf(demo.stepsOf(id), demo.texts.pullRequest)),
  };
}

const refused = refusedAnswer(unavailable);

/** Answers with a copy: what a run has changes. */
function ok<T>(value: T): Answer<T> {
  return { ok: true, value: structuredClone(value) };
}

function found<T>(value: T | null | undefined): Answer<T> {
  return value === null || value === undefined ? refused : ok(value);
}
