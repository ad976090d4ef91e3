import type { StepRun } from '../../../../contract/executions/execution.ts';
import type { ExecutionEvent } from '../../../../contract/executions/execution-event.ts';
import type { Pipeline } from '../../../../contract/executions/pipeline.ts';
import { compileRunGraph } from '../../../../rules/run-graph/compile-run-graph.ts';
import { type FollowedChange, FollowedRun } from '../../../../rules/run-graph/followed-run.ts';
import type { CompiledGraph, RunLink } from '../../../../rules/run-graph/run-graph.ts';
import { runGraphOf } from '../../../../rules/run-graph/run-graph-of.ts';
import type { StepState } from '../../../../rules/run-graph/run-state.ts';
import { isRunActive, type RunState } from '../../../model/workspace-state.ts';

/** The states of the links of the run that is followed. Each change of the run changes only the links that it can reach. */
export class RunLinks {
  readonly #run: FollowedRun;
  readonly #places: ReadonlyMap<string, number>;

  private constructor(run: FollowedRun, links: readonly RunLink[]) {
    this.#run = run;
    this.#places = new Map(links.map(({ id }, at) => [id, at]));
  }

  /** Writes the links of a pipeline into its run, or into a draft of it. Returns null for a pipeline whose steps run one after another. */
  static of(pipeline: Pipeline, run: RunState): RunLinks | null {
    const known = graphOf(pipeline);
    if (!known) return null;
    const { compiled, linkIds, rounds } = known;
    const followed = new FollowedRun(compiled, run.steps.map(stateOf));
    followed.end(!isRunActive(run));
    run.graph = { linkIds, linkStates: followed.states(), rounds, lists: followed.lists(), maxParallel: pipeline.maxParallel ?? 1 };
    return new RunLinks(followed, compiled.graph.links);
  }

  /** Applies an event that the run, or the draft, has applied. */
  apply({ step, changedSteps = [] }: ExecutionEvent, run: RunState): void {
    const changed = changedSteps.map(
      ({ stepId: id, pipelineStepId, ...rest }): StepState => ({ id, nodeId: pipelineStepId, choice: null, ...rest }),
    );
    if (step) changed.push(stateOf(step));
    const { links, lists } = this.#run.change(changed);
    this.#showLinks(links, run);
    for (const [id, { done, total }] of lists) {
      const known = run.graph?.lists[id];
      if (run.graph && (known?.done !== done || known.total !== total)) run.graph.lists[id] = { done, total };
    }
    this.#showLinks(this.#run.end(!isRunActive(run)), run);
  }

  #showLinks(changed: FollowedChange['links'], { graph }: RunState): void {
    if (!graph) return;
    for (const [{ id }, state] of changed) graph.linkStates[this.#places.get(id) ?? -1] = state;
  }
}

type KnownGraph = { compiled: CompiledGraph; linkIds: string[]; rounds: Record<string, number> };

/** A cache: a replay shows many moments of one run. */
const known = new WeakMap<Pipeline, KnownGraph | null>();

/** Returns what is shown of a pipeline's graph and does not change; null for steps that run one after another. */
function graphOf(pipeline: Pipeline): KnownGraph | null {
  let found = known.get(pipeline);
  if (found === undefined) {
    const graph = runGraphOf(pipeline);
    const result = graph && compileRunGraph(graph);
    const nodeOf = new Map(pipeline.steps.flatMap(({ id, nodeId }) => (nodeId === null ? [] : [[id, nodeId] as const])));
    found = result?.ok
      ? {
          compiled: result.compiled,
          linkIds: result.compiled.graph.links.map(({ id }) => id),
          rounds: roundsOf(result.compiled, nodeOf),
        }
      : null;
    known.set(pipeline, found);
  }
  return found;
}

/** The most rounds of the innermost loop around each card that is in one, by node id. */
function roundsOf({ regions }: CompiledGraph, nodeOf: ReadonlyMap<string, string>): Record<string, number> {
  const rounds: Record<string, number> = {};
  for (const { kind, nodes, backLinks } of regions) {
    if (kind === 'list') continue;
    const max = Math.max(...backLinks.map(({ maxRounds = 1 }) => maxRounds));
    for (const id of nodes) rounds[nodeOf.get(id) ?? id] ??= max;
  }
  return rounds;
}

function stateOf({ stepId, pipelineStepId = stepId, round = 0, item = 0, status, choice }: StepRun): StepState {
  return { id: stepId, nodeId: pipelineStepId, round, item, status, choice: choice ?? null };
}
