import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { ExecutionDetails, StepRun } from '../../../contract/executions/execution.ts';
import { linksBetween } from './plan/run-links.ts';
import { isStep } from './plan/run-scope.ts';

/**
 * A run with results for a card. `isOwn`: the card took part, in these steps of its last round. Else steps that lead to it did. `hasInput`: the
 * run has a result of a card that leads to it now, or none does. `othersIn`: the runs that have newer results of other cards.
 */
export type CardResults = { executionId: string; isOwn: boolean; hasInput: boolean; steps: StepRun[]; othersIn: string[] };

/**
 * Returns the first of these runs in which a card took part, else the first with a result of a step that leads to the card. Null for none. A
 * run that is under way has no last results. `goesOn`: what follows the card runs too. Then a run that had its cards alone comes after the others.
 */
export function lastRunOfCard(
  document: CanvasDocument,
  nodeId: string,
  runs: readonly ExecutionDetails[],
  { goesOn = false } = {},
): CardResults | null {
  const ended = runs.filter(({ status }) => status === 'completed' || status === 'failed' || status === 'cancelled');
  const before = directlyBefore(document, nodeId);
  const results = ended.map((run) => ({ run, ids: resultsIn(run) }));
  const hasInput = (ids: ReadonlySet<string>) => before.some((id) => ids.has(id));
  const isOwn = ({ run }: (typeof results)[number]) => run.steps.some((step) => step.nodeId === nodeId && hasTakenPart(step));
  const find = (among: typeof results) => among.find(isOwn) ?? among.find(({ ids }) => hasInput(ids));
  const found = (goesOn ? find(results.filter(({ run }) => !run.begunWith?.alone)) : undefined) ?? find(results);
  if (!found) return null;
  const othersIn = results.flatMap(({ run }) => (run !== found.run && hasNewer(run, found.run, nodeId) ? run.id : []));
  const taken = found.run.steps.filter((step) => step.nodeId === nodeId && hasTakenPart(step));
  if (taken.length === 0) return { executionId: found.run.id, isOwn: false, hasInput: true, steps: [], othersIn };
  const last = Math.max(...taken.map(({ round = 0 }) => round));
  const steps = taken.filter(({ round = 0 }) => round === last);
  return { executionId: found.run.id, isOwn: true, hasInput: before.length === 0 || hasInput(found.ids), steps, othersIn };
}

/** Whether these runs have a result of each card that leads to this one, so that older runs have no newer ones. */
export function knowsAllBefore(document: CanvasDocument, nodeId: string, runs: readonly ExecutionDetails[]): boolean {
  const into = Map.groupBy(linksOf(document), ({ link }) => link.to);
  const before = new Set<string>();
  const open = [nodeId];
  for (let id = open.pop(); id !== undefined; id = open.pop())
    for (const { link } of into.get(id) ?? [])
      if (!before.has(link.from)) {
        before.add(link.from);
        open.push(link.from);
      }
  before.delete(nodeId);
  for (const run of runs) for (const id of resultsIn(run)) before.delete(id);
  return before.size === 0;
}

function hasTakenPart({ status }: StepRun): boolean {
  return status === 'completed' || status === 'failed' || status === 'reused';
}

function resultsIn({ steps }: ExecutionDetails): Set<string> {
  return new Set(steps.flatMap(({ nodeId, result }) => (nodeId !== null && result !== null ? nodeId : [])));
}

/** Whether a run has worked on another card since, or on one of which the found run has no result. */
function hasNewer({ id, steps }: ExecutionDetails, found: ExecutionDetails, nodeId: string): boolean {
  const newest = new Map<string | null, string>();
  const reused = new Set<string | null>();
  for (const step of found.steps) {
    if (step.result === null) continue;
    // When a reused result was made is not known: a run that has worked on its card may be newer, but for the one that it is from.
    const at = step.status === 'completed' ? (step.completedAt ?? '') : '';
    if ((newest.get(step.nodeId) ?? '') <= at) newest.set(step.nodeId, at);
    if (step.reusedFrom?.executionId === id) reused.add(step.nodeId);
  }
  return steps.some((step) => {
    if (step.nodeId === null || step.nodeId === nodeId || step.result === null) return false;
    const known = newest.get(step.nodeId);
    return known === undefined || (step.status === 'completed' && !reused.has(step.nodeId) && (step.completedAt ?? '') > known);
  });
}

/** The cards whose results a card gets. */
function directlyBefore(document: CanvasDocument, nodeId: string): string[] {
  return [...new Set(linksOf(document).flatMap(({ link }) => (link.to === nodeId && link.maxRounds === undefined ? link.from : [])))];
}

function linksOf(document: CanvasDocument) {
  const stepIds = Object.values(document.nodes)
    .filter(isStep)
    .map(({ id }) => id);
  return linksBetween(document, { stepIds, leftOut: new Set(), starterId: null });
}
