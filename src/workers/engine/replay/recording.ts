import type { ExecutionDetails, StepRun } from '../../../../contract/executions/execution.ts';
import type { ExecutionEvent } from '../../../../contract/executions/execution-event.ts';
import type { Pipeline } from '../../../../contract/executions/pipeline.ts';
import { consoleLines } from '../../../model/console/console-lines.ts';
import { applyExecutionEvent, type StepCursor } from '../../../model/run/apply-execution-event.ts';
import { notStarted, pendingStep } from '../../../model/run/not-started.ts';
import { type ConsoleMessage, emptyRun, type RunState } from '../../../model/workspace-state.ts';
import { RunLinks } from '../run/run-links.ts';

/** A keyframe is kept each so many events: showing a moment applies fewer events than this. */
export const keyframeEvery = 200;

/** A moment of a run. `steps`: places in the list of all versions of steps; `added`: versions that are new to that list, for its end. */
export type Moment = { run: Omit<RunState, 'steps'>; steps: number[]; added: StepRun[] };

/** All events of one run, and its state after any number of them. Returned states never change. */
export class Recording {
  readonly events: ExecutionEvent[] = [];
  /** The console's lines of all events. */
  readonly lines: ConsoleMessage[] = [];
  /** By event: the number of lines up to it. */
  readonly #lineCounts: number[] = [];
  readonly #pipeline: Pipeline | null;
  /** The states after 0, 200, 400, ... events, without links. */
  readonly #keyframes: RunState[];
  /** The state after all events, which is changed in place. */
  readonly #newest: RunState;
  /** What events have made of steps: an event that is applied again makes the same objects. */
  readonly #made: NonNullable<StepCursor['made']> = new Map();
  readonly #cursor: StepCursor = { at: 0, made: this.#made };
  /** The places of the versions of steps that were part of a moment. */
  readonly #places = new Map<StepRun, number>();
  /** The moment that was shown last, and its links: the next one is often close behind it. */
  #shown: { count: number; run: RunState; links: RunLinks | null } | null = null;

  /** `pipeline`: null if it was removed; the links then show no states. */
  constructor(details: ExecutionDetails, pipeline: Pipeline | null, events: readonly ExecutionEvent[]) {
    this.#pipeline = pipeline;
    const first = firstState(details, events);
    this.#keyframes = [first];
    this.#newest = copyOf(first);
    this.add(events);
  }

  /** Adds events in order; known ones are left out. Returns the lines that are new. */
  add(events: readonly ExecutionEvent[]): ConsoleMessage[] {
    const added: ConsoleMessage[] = [];
    for (const event of events) {
      if (!applyExecutionEvent(this.#newest, event, this.#cursor)) continue;
      this.events.push(event);
      const lines = consoleLines(event, this.#newest);
      added.push(...lines);
      this.lines.push(...lines);
      this.#lineCounts.push(this.lines.length);
      if (this.events.length % keyframeEvery === 0) this.#keyframes.push(copyOf(this.#newest));
    }
    return added;
  }

  get lastSeq(): number {
    return this.events.at(-1)?.seq ?? 0;
  }

  /** Returns the number of lines after so many events. */
  lineCount(count: number): number {
    return this.#lineCounts[count - 1] ?? 0;
  }

  /** Returns the run after so many events, with each version of a step only once in all moments. */
  momentAt(count: number): Moment {
    const { steps, ...run } = this.runAt(count);
    const added: StepRun[] = [];
    const places = steps.map((step) => {
      const known = this.#places.get(step);
      if (known !== undefined) return known;
      const place = this.#places.size;
      this.#places.set(step, place);
      added.push(step);
      return place;
    });
    return { run, steps: places, added };
  }

  /** Returns the run after so many events. */
  runAt(count: number): RunState {
    const keyframe = Math.floor(count / keyframeEvery);
    const known = this.#shown;
    const isClose = known !== null && known.count <= count && known.count >= keyframe * keyframeEvery;
    const run = copyOf(isClose ? known.run : (this.#keyframes[keyframe] as RunState));
    const passed = this.events.slice(isClose ? known.count : keyframe * keyframeEvery, count);
    let links = isClose ? known.links : null;
    const cursor = { at: 0, made: this.#made };
    for (const event of passed) if (applyExecutionEvent(run, event, cursor)) links?.apply(event, run);
    if (!isClose && this.#pipeline) links = RunLinks.of(this.#pipeline, run);
    this.#shown = { count, run, links };
    return run;
  }
}

/** Returns the run before its first event. A step that was kept from another run is as it is: the first event of a fork has no results. */
function firstState({ steps, ...execution }: ExecutionDetails, events: readonly ExecutionEvent[]): RunState {
  const changed = new Set(events.flatMap(({ step, changedSteps = [] }) => [step?.stepId, ...changedSteps.map(({ stepId }) => stepId)]));
  return {
    ...emptyRun,
    phase: 'starting',
    execution: { ...execution, ...notStarted, openQuestions: undefined, holds: undefined },
    steps: steps.flatMap((step) => (step.reusedFrom || !changed.has(step.stepId) ? [step] : isOfPipeline(step) ? [pendingStep(step)] : [])),
  };
}

/** Whether a step is there from the start: other rounds and items come with the events. */
function isOfPipeline({ stepId, pipelineStepId = stepId }: StepRun): boolean {
  return pipelineStepId === stepId;
}

/** Returns a copy that events can be applied to. They replace steps and change none. */
function copyOf({ execution, steps, graph, ...run }: RunState): RunState {
  return {
    ...run,
    execution: execution && { ...execution },
    steps: steps.slice(),
    partial: {},
    logs: {},
    graph: graph && { ...graph, linkStates: graph.linkStates.slice(), lists: { ...graph.lists } },
  };
}
