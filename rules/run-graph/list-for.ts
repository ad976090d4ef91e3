import { listItems, taskItems } from './list-items.ts';
import type { CompiledGraph, Region, RunLink } from './run-graph.ts';
import type { RunState, StepState } from './run-state.ts';
import { hasResult } from './step-count.ts';

/** What the items of a list are made of. */
export type ItemSources = {
  task: string;
  /** The answer of a step that has ended. */
  resultOf: (step: StepState) => string;
};

/**
 * Returns the items of a list region: those of the first step that leads into it and wrote a list. The results of another list are its
 * items unchanged. A list behind a person has the items that the person has seen. A list that no step leads into has the items of the task.
 * Null if no step wrote a list.
 */
export function listFor(state: RunState, list: Region, { task, resultOf }: ItemSources): string[] | null {
  const entries = entriesOf(state.compiled, list);
  if (entries.length === 0) return taskItems(task);
  for (const link of entries) {
    const runs = state.takingRuns(link, 0).filter(({ status }) => hasResult(status));
    if (runs.length === 0) continue;
    if (runs.some(({ item }) => item > 0)) return runs.toSorted((a, b) => a.item - b.item).map(resultOf);
    const items = runs[0] && listOf(state, runs[0], resultOf);
    if (items) return items;
  }
  return null;
}

/** The list that a step wrote. A person who wrote none hands on the first list that led to the question. */
function listOf(state: RunState, run: StepState, resultOf: ItemSources['resultOf']): string[] | null {
  const own = listItems(resultOf(run));
  if (own || !state.compiled.nodes.get(run.nodeId)?.person) return own;
  for (const link of state.compiled.incoming.get(run.nodeId) ?? []) {
    const before = state.takingRuns(link, run.item).find(({ status }) => hasResult(status));
    const items = before && listOf(state, before, resultOf);
    if (items) return items;
  }
  return null;
}

/** The links that lead into a list from outside. */
export function entriesOf({ incoming }: CompiledGraph, { nodes }: Region): RunLink[] {
  return [...nodes].flatMap((id) => (incoming.get(id) ?? []).filter(({ from }) => !nodes.has(from)));
}
