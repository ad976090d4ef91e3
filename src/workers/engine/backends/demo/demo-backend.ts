import type { Execution } from '../../../../../contract/executions/execution.ts';
import type { Pipeline } from '../../../../../contract/executions/pipeline.ts';
import type { Project } from '../../../../../contract/project.ts';
import { searchHistory } from '../../../../model/console/search-history.ts';
import type { BackendParts } from '../../create-engine.ts';
import type { Environment } from '../../environment/environment.ts';
import type { Answer, Backend } from '../port.ts';
import { refusedAnswer, refuseOthers } from '../refusing-backend.ts';
import { demoCanvas } from './demo-canvas.ts';
import { demoAvailability, demoLoad, demoProjectStatistics, demoStatistics } from './demo-figures.ts';
import { demoFiles } from './demo-files.ts';
import type { DemoForkStart } from './demo-fork.ts';
import { demoHistory } from './demo-history.ts';
import { teamMoves } from './demo-move.ts';
import { demoPipeline, demoPipelines } from './demo-pipelines.ts';
import type * as reviewPart from './demo-review.ts';
import { DemoRun, stepAtRest } from './demo-run.ts';
import { demoArchive, demoFilesOf, demoPullRequest } from './demo-run-files.ts';
import { demoAgentId, demoAgentKeys, demoAgents, demoUserId } from './demo-team.ts';
import { demoTestLog } from './demo-tests.ts';
import { demoTexts } from './demo-texts.ts';

type ReviewPart = typeof reviewPart;

/** The project that is shown when the address has no project id. R14 */
const ownProjectId = 'public-demo';
/** The project that shows a review loop and a person. */
const reviewProjectId = 'public-review';
/** Characters of an id that are shown as a name. */
const projectNameLength = 120;

/**
 * A backend that plays a script. Only its runs change. It calls no server, and refuses everything that needs one.
 * W4.16 W9.05
 */
export function createDemoBackend(
  { language, onMessage }: Pick<BackendParts, 'language' | 'onMessage'>,
  clock: Pick<Environment, 'now' | 'newId' | 'later'>,
): Backend {
  const openedAt = clock.now();
  const madeAt = new Date(openedAt).toISOString();
  let projectId = '';
  let runs: DemoRun[] = [];
  const texts = () => demoTexts(language());
  /** The texts of the project with a review, while it is shown. */
  const reviewed = (id = projectId) => (id === reviewProjectId ? (review?.reviewTexts(language()) ?? null) : null);
  /** What only the canvas with a review has, once it is shown. */
  let review: ReviewPart | null = null;
  /** The pipeline of the canvas with a review, once a run has needed it. */
  let reviewPipeline: Pipeline | null = null;
  const pipelineBy = (fits: (pipeline: Pipeline) => boolean) =>
    [...demoPipelines(projectId, texts(), madeAt), ...(reviewPipeline ? [reviewPipeline] : [])].find(fits);
  const history = () => demoHistory(runs, texts(), projectId, openedAt, reviewed()?.summary);
  const found = (id: string) => runs.find(({ execution }) => execution.id === id);

  /** Loads what only the canvas with a review has. False: it did not arrive. */
  async function hasParts(id: string): Promise<boolean> {
    if (id === reviewProjectId) review ??= await loadReview();
    return id !== reviewProjectId || review !== null;
  }

  /** Resets the demonstration and stops active runs. */
  function openProject(id: string): Project {
    for (const run of runs) run.close();
    runs = [];
    projectId = id;
    const { name: ownName, description } = reviewed() ?? texts().project;
    // Another project id in the address is also the project's name.
    const name = id === ownProjectId || reviewed() ? ownName : id.slice(0, projectNameLength);
    return { id, name, description, status: 'active', isDemo: true, userId: demoUserId, createdAt: madeAt, updatedAt: madeAt };
  }

  function start(
    { pipelineId, inputData, startAfterMs = 0 }: Parameters<Backend['startExecution']>[0],
    fork?: DemoForkStart & { of: string },
  ): Answer<Execution> {
    const pipeline = pipelineBy(({ id }) => id === pipelineId);
    if (!pipeline) return refused;
    const team = demoAgentKeys.filter((key) => pipeline.steps.some(({ agentId }) => agentId === demoAgentId(key)));
    const at = new Date(clock.now()).toISOString();
    const execution: Execution = {
      id: clock.newId(),
      pipelineId,
      projectId,
      status: 'pending',
      held: false,
      pauseRequested: false,
      initialTask: reviewed()?.task ?? texts().dialog.task,
      dialogNodeId: inputData?.dialogNode?.id ?? null,
      result: null,
      error: null,
      progress: 0,
      priority: 5,
      timeoutSeconds: 3_600,
      pauseBetweenStepsMs: 0,
      startedAt: null,
      completedAt: null,
      failedAt: null,
      lastSeq: 0,
      createdAt: at,
      updatedAt: at,
      ...(fork && { parentId: fork.of, forkedAt: at }),
    };
    const words = reviewed();
    const run = new DemoRun({
      execution,
      steps: fork?.steps ?? pipeline.steps.map(stepAtRest),
      kept: fork?.kept ?? 0,
      moves: words && review ? review.reviewMoves(words) : teamMoves(team, texts()),
      clock,
      tell: onMessage,
    });
    runs.push(run);
    run.beginIn(startAfterMs);
    return ok(structuredClone(execution));
  }

  return refuseOthers(unavailable, {
    openProject: async (id) => ((await hasParts(id)) ? ok(openProject(id)) : refused),
    readCanvas: async (id) => {
      if (!(await hasParts(id))) return refused;
      // It is read while the project opens.
      const words = reviewed(id);
      const agents = demoAgents(texts(), madeAt);
      return ok({ ...(words && review ? review.reviewCanvas(words, agents) : demoCanvas(texts(), agents)), version: 1 });
    },
    projectStatistics: async () => ok(demoProjectStatistics(madeAt)),
    listAgents: async () => ok(demoAgents(texts(), madeAt)),
    agentStatistics: async (agentId) => ok(demoStatistics(agentId, madeAt)),
    agentAvailability: async (agentId) => ok(demoAvailability(agentId, runs, madeAt)),
    agentLoad: async (agentId) => ok(demoLoad(agentId, runs)),

    createPipeline: async (creation) => {
      const agents = creation.steps.map(({ agentId }) => agentId).join();
      const words = reviewed();
      if (words) {
        const { pipelineName: name, pipelineDescription: description } = words;
        reviewPipeline = demoPipeline('demo-pipeline-review', { ...creation, name, description }, madeAt);
      }
      const pipeline = pipelineBy(({ steps }) => steps.map(({ agentId }) => agentId).join() === agents);
      return pipeline ? ok(pipeline) : refused;
    },
    readPipeline: async (id) => {
      const pipeline = pipelineBy((known) => known.id === id);
      return pipeline ? ok(pipeline) : refused;
    },
    previewFork: async (id, request) => {
      const run = found(id);
      const preview = run && (await loadForks())?.demoForkPreview(run, request);
      return preview ? ok(preview) : refused;
    },
    fork: async (id, request) => {
      const [run, forks] = [found(id), await loadForks()];
      const preview = run && forks?.demoForkPreview(run, request);
      const begin = run && forks?.demoForkStart(run, request);
      if (!run || !preview || !begin) return refused;
      const started = start({ ...run.execution, inputData: undefined }, { ...begin, of: id });
      return started.ok ? ok({ ...preview, execution: started.value }) : refused;
    },
    readBudgets: async ({ executionId }) => {
      const run = reviewed() ? found(executionId ?? '') : undefined;
      const budget = run && (await loadBudget())?.demoBudget(run);
      return ok({ budgets: budget ? [budget] : [], currencies: [] });
    },
    removePipeline: async () => ok(undefined),
    listExecutions: async () => ok(structuredClone(runs.map(({ execution }) => execution).toReversed())),
    listUnderWay: async () => ok([]),
    readExecution: async (id) => {
      const run = found(id);
      return run ? ok(structuredClone({ ...run.execution, steps: run.steps })) : refused;
    },
    readLogs: async (id, since, limit) =>
      ok(
        found(id)
          ?.events.filter(({ seq }) => seq > since)
          .slice(0, limit) ?? [],
      ),
    startExecution: async (given) => start(given),
    controlExecution: async (id, action) => {
      const run = found(id);
      return run?.control(action) ? ok(structuredClone(run.execution)) : refused;
    },
    listResults: async () => ok(history()),
    searchResults: async (_, text) => {
      const items = searchHistory(history(), text);
      return ok({ items, total: items.length });
    },
    readResult: async (id) => {
      const item = history().find((known) => known.id === id);
      return item ? ok(item) : refused;
    },
    listThoughts: async (_, leftOut) => ok(runs.flatMap(({ thoughts }) => thoughts).slice(leftOut)),
    listFiles: async (id) => ok({ files: demoFilesOf(found(id)?.steps ?? []), refused: [] }),
    readTestLog: async (id, stepId) => {
      const counts = found(id)?.steps.find((step) => step.stepId === stepId)?.testRun?.counts;
      return counts ? ok(demoTestLog(counts, reviewed()?.log ?? '')) : refused;
    },
    readFile: async (_, path) => {
      const file = demoFiles[path];
      return file ? ok(file.content) : refused;
    },
    archiveFiles: async (id) => ok(demoArchive(demoFilesOf(found(id)?.steps ?? []))),
    readPatch: async (id) => ok(demoPullRequest(found(id)?.steps ?? [], texts()).diff),
    readPullRequest: async (id) => ok(demoPullRequest(found(id)?.steps ?? [], texts())),
    listCalls: async (id, stepId) => ok(structuredClone(found(id)?.calls.filter((call) => call.stepId === stepId) ?? [])),
    listCommands: async () => ok([]),
    newestCommand: async () => ok(null),

    listQuestions: async () => ok([]),
    readQuestion: async (id) => {
      const question = runs.flatMap((run) => run.question ?? []).find((known) => known.id === id);
      return question ? ok(structuredClone(question)) : refused;
    },
    listWaiting: async () => ({ ok: true, value: [] }),
  });
}

/** Not needed before the first step. */
const loadReview = () => import('./demo-review.ts').catch(() => null);
const loadBudget = () => import('./demo-budget.ts').catch(() => null);
const loadForks = () => import('./demo-fork.ts').catch(() => null);

const unavailable = 'demo.unavailable';
const refused = refusedAnswer(unavailable);

function ok<T>(value: T): Answer<T> {
  return { ok: true, value };
}
