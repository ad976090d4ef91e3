import type { Execution } from '../../../../contract/executions/execution.ts';
import type { ReplayState } from '../../../model/workspace-state.ts';
import type { Moment } from './recording.ts';

type Shown = Pick<ReplayState, 'run' | 'steps' | 'versions'>;
type Run = ReplayState['run'];

/** From so many changed steps on the list of places is sent as one. */
const maxChanges = 64;

/**
 * Changes a draft of a replay into another moment. Only what differs is set, and a version of a step is added once. So the patches, and
 * the message to the page, are small. `from`: the moment that the draft is of.
 */
export function showMoment(draft: Shown, from: Shown, { run, steps, added }: Moment): void {
  changeRun(draft.run, from.run, run);
  for (const step of added) draft.versions.push(step);
  const changed = steps.flatMap((place, at) => (from.steps[at] === place ? [] : [at]));
  if (changed.length > maxChanges) {
    draft.steps = steps;
    return;
  }
  if (steps.length < from.steps.length) draft.steps.length = steps.length;
  for (const at of changed) draft.steps[at] = steps[at] as number;
}

function changeRun(draft: Run, from: Run, to: Run): void {
  // A replay has no streamed text.
  const { execution, graph, partial: _noText, logs: _noLogs, ...plain } = to;
  const { execution: _execution, graph: _graph, partial: _partial, logs: _logs, ...plainBefore } = from;
  assignChanged<Partial<Run>>(draft, plainBefore, plain);
  if (draft.execution && from.execution && execution) assignChanged<Partial<Execution>>(draft.execution, from.execution, execution);
  else draft.execution = execution;
  if (!draft.graph || !from.graph || !graph || from.graph.linkIds.length !== graph.linkIds.length) {
    if (draft.graph || graph) draft.graph = graph;
    return;
  }
  for (const [at, state] of graph.linkStates.entries()) if (from.graph.linkStates[at] !== state) draft.graph.linkStates[at] = state;
  const { lists } = graph;
  for (const id of Object.keys(from.graph.lists)) if (!lists[id]) delete draft.graph.lists[id];
  for (const [id, list] of Object.entries(lists)) {
    const before = from.graph.lists[id];
    if (before?.done !== list.done || before.total !== list.total) draft.graph.lists[id] = list;
  }
}

/** Sets the fields that differ, and removes those that the new value does not have. */
function assignChanged<T extends object>(draft: T, from: T, to: T): void {
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)]) as Set<keyof T>) {
    if (Object.is(from[key], to[key])) continue;
    if (to[key] === undefined) delete draft[key];
    else draft[key] = to[key];
  }
}
