import type { Agent } from '../../../../../contract/agent.ts';
import type { Execution, StepRun } from '../../../../../contract/executions/execution.ts';
import type { Fork, ForkRequest } from '../../../../../contract/executions/fork.ts';
import type { Pipeline, PipelineCreation } from '../../../../../contract/executions/pipeline.ts';
import type { ResultItem } from '../../../../../contract/executions/result.ts';
import type { Project } from '../../../../../contract/project.ts';
import { notStarted, pendingStep } from '../../../../model/run/not-started.ts';
import type { DemoFork } from './demo-fork.ts';
import { demoHistory } from './demo-history.ts';
import { type DemoClock, type DemoParts, DemoRun } from './demo-run.ts';
import type { DemoScript } from './demo-script.ts';
import { demoAgents, demoUserId, memberOf } from './demo-team.ts';
import { type DemoTexts, demoTexts } from './demo-texts.ts';
import { teamScript } from './team-script.ts';

/** The project that is shown when the address has no project id. R14 */
const ownProjectId = 'public-demo';
/** The project that shows a review loop and a person. */
const reviewProjectId = 'public-review';
/** Characters of an id that are shown as a name. */
const projectNameLength = 120;

type RunStart = { dialogNodeId: string | null; startAfterMs: number; fork?: DemoFork & { of: string } };

/** What the demonstration shows: the script of the opened canvas, and the runs since it was opened. */
export class DemoSession {
  readonly #parts: DemoParts;
  readonly #clock: DemoClock;
  /** When everything that it shows was created, ISO 8601. */
  readonly createdAt: string;
  #projectId = ownProjectId;
  #scriptOf: typeof teamScript = teamScript;
  /** The pipeline of the canvas, once a run has needed it. */
  pipeline: Pipeline | null = null;
  runs: DemoRun[] = [];

  constructor(parts: DemoParts, clock: DemoClock) {
    this.#parts = parts;
    this.#clock = clock;
    this.createdAt = new Date(clock.now()).toISOString();
  }

  get texts(): DemoTexts {
    return demoTexts(this.#parts.language());
  }

  get agents(): Agent[] {
    return demoAgents(this.texts, this.createdAt);
  }

  get script(): DemoScript {
    return this.#scriptOf(this.#parts.language(), this.agents);
  }

  get history(): ResultItem[] {
    return demoHistory(this.runs, this.texts, { projectId: this.#projectId, openedAt: this.createdAt, summary: this.script.summary });
  }

  find(executionId: string): DemoRun | undefined {
    return this.runs.find(({ execution }) => execution.id === executionId);
  }

  stepsOf(executionId: string): readonly StepRun[] {
    return this.find(executionId)?.steps ?? [];
  }

  /** Resets the demonstration and stops active runs. Null if the script of the project did not arrive. */
  async open(id: string): Promise<Project | null> {
    const scriptOf = await loadScript(id);
    if (!scriptOf) return null;
    for (const run of this.runs) run.close();
    this.runs = [];
    this.pipeline = null;
    this.#projectId = id;
    this.#scriptOf = scriptOf;
    const { project } = this.script;
    // Another project id in the address is also the project's name.
    const name = id === ownProjectId || id === reviewProjectId ? project.name : id.slice(0, projectNameLength);
    const { createdAt } = this;
    return { ...project, id, name, status: 'active', isDemo: true, userId: demoUserId, createdAt, updatedAt: createdAt };
  }

  /** The script of a project, which may still be opening. */
  async loadScript(id: string): Promise<DemoScript | null> {
    const scriptOf = await loadScript(id);
    return scriptOf?.(this.#parts.language(), this.agents) ?? null;
  }

  /** Creates the pipeline of the canvas. The engine leaves out no field of its steps. */
  createPipeline({ projectId, steps, configuration, links, maxParallel }: PipelineCreation): Pipeline {
    const { pipeline, isGraph } = this.script;
    const id = `demo-pipeline-${projectId}`;
    const { createdAt } = this;
    this.pipeline = {
      ...pipeline,
      id,
      projectId,
      configuration: (isGraph && configuration) || '{}',
      status: 'ready',
      isDemo: true,
      maxExecutionTimeSeconds: null,
      createdAt,
      updatedAt: createdAt,
      ...(isGraph && links && { links }),
      ...(isGraph && maxParallel && { maxParallel }),
      steps: steps.map((step, orderIndex) => ({ ...step, id: `${id}-${orderIndex}`, orderIndex })) as Pipeline['steps'],
    };
    return this.pipeline;
  }

  /** Starts a run; null before there is a pipeline. */
  start({ dialogNodeId, startAfterMs, fork }: RunStart): Execution | null {
    const { pipeline } = this;
    if (!pipeline) return null;
    const { task, moves } = this.script;
    const at = new Date(this.#clock.now()).toISOString();
    const execution: Execution = {
      id: this.#clock.newId(),
      pipelineId: pipeline.id,
      projectId: this.#projectId,
      held: false,
      initialTask: task,
      dialogNodeId,
      priority: 5,
      timeoutSeconds: 3_600,
      pauseBetweenStepsMs: 0,
      ...notStarted,
      createdAt: at,
      updatedAt: at,
      ...(fork && { parentId: fork.of, forkedAt: at }),
    };
    const steps = pipeline.steps.map((step) => pendingStep({ ...step, stepId: step.id, role: memberOf(step.agentId)?.role ?? 'user' }));
    const run = new DemoRun({ execution, moves, steps, ...fork, clock: this.#clock, tell: this.#parts.onMessage });
    this.runs.push(run);
    run.beginIn(startAfterMs);
    return execution;
  }

  /** Forks a run from one of its steps, or tells what a fork would keep; null for one that the script cannot follow. */
  async fork(executionId: string, request: ForkRequest): Promise<Fork | null> {
    const [part, run] = [await loadForks(), this.find(executionId)];
    const fork = run && part?.demoFork(run, request);
    if (!fork || request.dryRun) return fork?.preview ?? null;
    const { dialogNodeId } = run.execution;
    return { ...fork.preview, execution: this.start({ dialogNodeId, startAfterMs: 0, fork: { ...fork, of: executionId } }) };
  }
}

/** Returns what makes the script of a project; null if it did not arrive. */
async function loadScript(id: string): Promise<typeof teamScript | null> {
  return id === reviewProjectId ? ((await loadReview())?.reviewScript ?? null) : teamScript;
}

/** Not needed before the first step. */
const loadReview = () => import('./review-script.ts').catch(() => null);
const loadForks = () => import('./demo-fork.ts').catch(() => null);
