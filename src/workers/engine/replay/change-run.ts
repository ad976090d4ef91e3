import type { Execution } from '../../../../contract/executions/execution.ts';
import type { RunState } from '../../../model/workspace-state.ts';

/** From this share of changed steps on, the list is sent as one. */
const wholeListShare = 0.8;

/**
 * Changes a draft of a run into another moment of the same run. Only what differs is set, so that the patches, and the message to the
 * page, are as small as the difference. `from`: the run that the draft is of.
 */
export function changeRun(draft: RunState, from: RunState, to: RunState): void {
  // A replay has no streamed text.
  const { execution, steps, graph, partial: _noText, logs: _noLogs, ...plain } = to;
  const { execution: _execution, steps: _steps, graph: _graph, partial: _partial, logs: _logs, ...plainBefore } = from;
  assignChanged<Partial<RunState>>(draft, plainBefore, plain);
  if (draft.execution && from.execution && execution) assignChanged<Partial<Execution>>(draft.execution, from.execution, execution);
  else draft.execution = execution;
  changeSteps(draft, from.steps, steps);
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

function changeSteps(draft: RunState, from: RunState['steps'], to: RunState['steps']): void {
  const changed: number[] = [];
  for (let at = 0; at < to.length; at += 1) if (from[at] !== to[at]) changed.push(at);
  if (changed.length > to.length * wholeListShare) {
    draft.steps = to;
    return;
  }
  if (to.length < from.length) draft.steps.length = to.length;
  for (const at of changed) draft.steps[at] = to[at] as RunState['steps'][number];
}

/** Sets the fields that differ, and removes those that the new value does not have. */
function assignChanged<T extends object>(draft: T, from: T, to: T): void {
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)]) as Set<keyof T>) {
    if (Object.is(from[key], to[key])) continue;
    if (to[key] === undefined) delete draft[key];
    else draft[key] = to[key];
  }
}
