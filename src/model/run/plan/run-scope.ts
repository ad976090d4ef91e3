import type { CanvasDocument, CanvasNode, Connection } from '../../../../contract/canvas.ts';
import { isAgentOrPerson, isNamed, isStepCard, isWorkingAgent } from '../../../../rules/card.ts';
import { type Cycle, cyclesIn } from '../../document/links/links-back.ts';
import { resolveDialogTarget } from '../starters/resolve-dialog-target.ts';
import { successors } from './successors.ts';

/**
 * `targetOnly`: a dialog's run has only its target. `starts`: start cards, or cards of agents, that limit a run without a dialog to themselves and what
 * follows them.
 */
export type RunLimit = { targetOnly?: boolean; starts?: readonly CanvasNode[] };

/** What a run has of the canvas. */
export type RunScope = {
  /** The agent that a dialog's run begins with; null without a dialog, and where the canvas has no agent. */
  target: CanvasNode | null;
  /** The cards of the run without the dialog; null for all of the canvas. */
  ids: ReadonlySet<string> | null;
  /** Its cycles without the links of review loops. Nothing is passed on along the links that lead back. */
  cycles: Cycle[];
  backward: ReadonlySet<Connection>;
};

/**
 * A dialog's run holds the cards that are reachable along links from it, or from its target when it leads to none. Without a dialog all
 * cards take part, or only those that the start nodes lead to.
 */
export function runScope(
  document: CanvasDocument,
  dialog: CanvasNode | null,
  { targetOnly = false, starts = [] }: RunLimit = {},
): RunScope {
  const target = dialog && resolveDialogTarget(document, dialog);
  if (dialog && !target) return { target, ids: new Set(), cycles: [], backward: new Set() };
  const ids = dialog && target ? (targetOnly ? new Set([target.id]) : taking(document, dialog, target)) : leadTo(document, starts);
  const inRun = [...(ids ?? Object.keys(document.nodes)), ...(dialog ? [dialog.id] : [])];
  const cycles = cyclesIn(inRun, linksForward(document, dialog?.id), target?.id ?? null);
  return { target, ids, cycles, backward: new Set(cycles.flatMap(({ back }) => back)) };
}

/** Returns the links into each cycle without rounds that cards enter at two cards or more. What a run begins with is no such card. */
export function cyclesWithTwoEntries({ nodes }: CanvasDocument, cycles: readonly Cycle[]): Connection[][] {
  return cycles.flatMap(({ entries }) => {
    const byCards = entries.filter(({ from }) => isAgentOrPerson(nodes[from.agentId]));
    return new Set(byCards.map(({ to }) => to.agentId)).size > 1 ? [byCards] : [];
  });
}

/** Whether a card of a run is one of its steps: a card without a name is left out. */
export function isStep(node: CanvasNode): boolean {
  return isStepCard(node) && isNamed(node);
}

/** The links of a canvas without those of review loops, and without those to the card that starts the run. */
export function linksForward({ connections }: CanvasDocument, starterId?: string | null): Connection[] {
  return Object.values(connections).filter(({ run, to }) => run?.maxRounds === undefined && to.agentId !== starterId);
}

/**
 * Returns the ids of the nodes that are reachable from the start nodes; null if no agent is, since then they limit nothing. A run that begins with
 * cards of agents or people has these.
 */
function leadTo(document: CanvasDocument, starts: readonly CanvasNode[]): Set<string> | null {
  if (starts.length === 0) return null;
  const ids = reachable(
    successors(document),
    starts.map(({ id }) => id),
    null,
    document,
  );
  const begins = starts.some(isAgentOrPerson);
  return begins || [...ids].some((id) => isWorkingAgent(document.nodes[id] as CanvasNode)) ? ids : null;
}

/** Returns the ids of the nodes in a dialog's run, with users and triggers on the way, without the dialog itself. */
function taking(document: CanvasDocument, dialog: CanvasNode, target: CanvasNode): Set<string> {
  const next = successors(document);
  const ids = reachable(next, next.get(dialog.id) ?? [], dialog.id, document);
  const holdsAgents = [...ids].some((id) => isWorkingAgent(document.nodes[id] as CanvasNode));
  const chosen = dialog.targetAgentId !== undefined && !ids.has(target.id);
  if (!holdsAgents || chosen) for (const id of reachable(next, [target.id], dialog.id, document)) ids.add(id);
  return ids;
}

function reachable(
  next: ReadonlyMap<string, string[]>,
  from: readonly string[],
  dialogId: string | null,
  document: CanvasDocument,
): Set<string> {
  const seen = new Set<string>();
  const open = [...from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === dialogId || seen.has(id) || !Object.hasOwn(document.nodes, id)) continue;
    seen.add(id);
    open.push(...(next.get(id) ?? []));
  }
  return seen;
}
