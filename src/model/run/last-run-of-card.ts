import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { ExecutionDetails, StepRun } from '../../../contract/executions/execution.ts';
import { linksBetween } from './run-links.ts';
import { isStep } from './run-scope.ts';

/**
 * A run with results for a card. `isOwn`: the card took part, in these steps of its last round. Else steps that lead to it did. `hasInput`: the
 * run has a result of a card that leads to it now, or none does.
 */
export type CardResults = { executionId: string; isOwn: boolean; hasInput: boolean; steps: StepRun[] };

/**
 * Returns the first of these runs in which a card took part, else the first with a result of a step that leads to the card. Null for none. A
 * run that is under way has no last results.
 */
export function lastRunOfCard(document: CanvasDocument, nodeId: string, runs: readonly ExecutionDetails[]): CardResults | null {
  const ended = runs.filter(({ status }) => status === 'completed' || status === 'failed' || status === 'cancelled');
  const before = [...stepsBefore(document, nodeId)];
  const hasResult = ({ steps }: ExecutionDetails, of: string) => steps.some((step) => step.nodeId === of && step.result !== null);
  for (const run of ended) {
    const own = run.steps.filter((step) => step.nodeId === nodeId && hasTakenPart(step));
    if (own.length === 0) continue;
    const last = Math.max(...own.map(({ round = 0 }) => round));
    const steps = own.filter(({ round = 0 }) => round === last);
    return { executionId: run.id, isOwn: true, hasInput: before.length === 0 || before.some((id) => hasResult(run, id)), steps };
  }
  const given = ended.find((run) => before.some((id) => hasResult(run, id)));
  return given ? { executionId: given.id, isOwn: false, hasInput: true, steps: [] } : null;
}

function hasTakenPart({ status }: StepRun): boolean {
  return status === 'completed' || status === 'failed' || status === 'reused';
}

/** The cards whose results a card gets. */
function stepsBefore(document: CanvasDocument, nodeId: string): Set<string> {
  const stepIds = Object.values(document.nodes)
    .filter(isStep)
    .map(({ id }) => id);
  const links = linksBetween(document, { stepIds, leftOut: new Set(), starterId: null });
  return new Set(links.flatMap(({ link }) => (link.to === nodeId && link.maxRounds === undefined ? link.from : [])));
}
