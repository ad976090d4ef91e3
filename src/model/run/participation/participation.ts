import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import { isAgentOrPerson, isAnnotation, isStart, isStepCard } from '../../../../rules/card.ts';
import { hasBranches } from '../plan/parallel-limit.ts';
import { graphPlan, graphPlanProblems } from '../plan/run-graph-plan.ts';
import { linksBetween } from '../plan/run-links.ts';
import { isStep, runScope } from '../plan/run-scope.ts';
import type { RunStarters } from '../starters/starters-of.ts';
import { reportsOf } from './participation-reports.ts';
import type { Participation, TakingPart } from './participation-state.ts';

/**
 * Returns what takes part in a run that begins with these cards, by the rules of `planPipeline`. A card takes part as a step, as what the
 * run begins with, or as one on a way between them. A link does if the run follows it. `parallelSteps`: the project's setting.
 */
export function participationOf(document: CanvasDocument, { dialog, starts }: RunStarters, parallelSteps?: number): Participation {
  const part = takingPart(document, dialog, { starts, parallelSteps });
  const nodes = Object.values(document.nodes);
  const cards = nodes.filter(isAgentOrPerson);
  const counted = cards.filter(({ disabled }) => !disabled);
  return {
    taking: counted.filter((node) => isStepCard(node) && part.nodeIds.has(node.id)).length,
    of: (counted.length > 0 ? counted : cards).length,
    hasBranches: hasBranches(part.found),
    leftOutNodes: nodes.flatMap((node) => (part.nodeIds.has(node.id) || isAnnotation(node) ? [] : node.id)),
    leftOutLinks: Object.keys(document.connections).filter((id) => !part.linkIds.has(id)),
    reports: reportsOf(document, part),
    dialogNodeId: dialog?.id ?? null,
    startNodeIds: starts.map(({ id }) => id),
  };
}

type Limit = { starts: readonly CanvasNode[]; parallelSteps: number | undefined };

function takingPart(document: CanvasDocument, dialog: CanvasNode | null, { starts, parallelSteps }: Limit): TakingPart {
  const { nodes, connections } = document;
  const scope = runScope(document, dialog, { starts });
  const { ids, backward } = scope;
  const steps = Object.values(nodes).filter((node) => isStep(node) && (ids?.has(node.id) ?? true));
  const starters = dialog ? [dialog] : starts;
  const linkIds = new Set<string>();
  const links = {
    stepIds: steps.map(({ id }) => id),
    leftOut: new Set([...backward].map(({ id }) => id)),
    starterId: dialog?.id ?? null,
  };
  const starterIds = starters.map(({ id }) => id);
  const graph = graphPlan(document, { ...links, starterIds, parallelSteps });
  const refusals = graph ? graphPlanProblems(document, { stepIds: links.stepIds, cycles: scope.cycles }, graph) : [];
  const found = linksBetween(document, links, {
    sources: [...links.stepIds, ...starterIds],
    onPath(path) {
      for (let at: typeof path | null = path; at; at = at.before) linkIds.add(at.linkId);
    },
  });
  // A start card may stand before the dialog.
  for (const { id, from, to } of Object.values(connections)) if (to.agentId === dialog?.id && isStart(nodes[from.agentId])) linkIds.add(id);
  const nodeIds = new Set([...links.stepIds, ...starterIds]);
  // Runs pass by users' cards that are only shown, and cards that are left out.
  for (const id of linkIds)
    for (const end of [connections[id]?.from, connections[id]?.to])
      if (end && !isAgentOrPerson(nodes[end.agentId])) nodeIds.add(end.agentId);
  return { scope, starters, nodeIds, linkIds, found, isGraph: graph !== null, refusals };
}
