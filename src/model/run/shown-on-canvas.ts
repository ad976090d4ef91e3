import type { CanvasDocument, CanvasNode, Connection } from '../../../contract/canvas.ts';
import { isAgentOrPerson, isStart, isStepCard } from '../../../rules/card.ts';
import { kindOf } from '../../../rules/node-kinds.ts';
import { type CardView, cardViews } from '../card-view.ts';
import { linkInRun, type ShownLinkState, shownLinkState } from '../link-state.ts';
import type { RunState, WorkspaceState } from '../workspace-state.ts';

/** A run and the canvas that shows it. */
export type RunOnCards = {
  run: RunState;
  views: Readonly<Record<string, CardView>>;
  /** How it looks as a whole, found once for all cards and links. */
  look: RunLook;
  nodeOf: (nodeId: string) => CanvasNode | null | undefined;
  /** The links into and out of a card. */
  linksOf: (nodeId: string) => Iterable<Connection>;
};

/** `shows`: the canvas is that of the run; `dims`: links that no result has passed are dim. */
type RunLook = { shows: boolean; dims: boolean };

/** How a run looks on the canvas as a whole. */
export function lookOfRun(on: Pick<RunOnCards, 'run' | 'views'>): RunLook {
  return { shows: showsRun(on), dims: dimsLinks(on) };
}

/** Reads a canvas for a run. Its links are sorted by their cards when the first are asked for. */
export function runOnCards({ nodes, connections }: CanvasDocument, run: RunState, views = cardViews(run)): RunOnCards {
  let known: Map<string, Connection[]> | null = null;
  const sorted = () => {
    const links = new Map<string, Connection[]>();
    for (const link of Object.values(connections))
      for (const { agentId } of [link.from, link.to]) {
        const of = links.get(agentId);
        if (of) of.push(link);
        else links.set(agentId, [link]);
      }
    return links;
  };
  return {
    run,
    views,
    look: lookOfRun({ run, views }),
    nodeOf: (id) => nodes[id],
    linksOf(id) {
      known ??= sorted();
      return known.get(id) ?? [];
    },
  };
}

/** Cards without a step that are followed from one link, at most. */
const maxPassed = 100;

/** Whether the canvas is that of the run: a card has a step, and nothing was edited since it ended. */
function showsRun({ run, views }: Pick<RunOnCards, 'run' | 'views'>): boolean {
  // The first step tells it, where a look into all views would list ten thousand keys for each link.
  return !run.isPast && run.steps.some(({ nodeId }) => nodeId !== null && views[nodeId] !== undefined);
}

/** Whether the canvas shows what the next run leaves out. */
export function showsNextRun({ execution, steps, isPast }: Pick<RunState, 'execution' | 'steps' | 'isPast'>): boolean {
  return isPast === true || (execution === null && steps.length === 0);
}

/** Whether links that no result has passed are dim: after a run until an edit, and at each moment of a replay. D1.30 */
function dimsLinks(on: Pick<RunOnCards, 'run' | 'views'>): boolean {
  return showsRun(on) && (on.run.outcome !== null || on.run.moment !== undefined);
}

/** Whether a card is no part of the shown run: it has no step, does not begin the run, and nothing passes through it. D1.31 */
export function isOutsideRun(node: CanvasNode, on: RunOnCards): boolean {
  const { run, views, look, linksOf } = on;
  if (!look.shows || views[node.id]) return false;
  const dialogId = run.execution?.dialogNodeId ?? null;
  switch (kindOf(node).run) {
    case 'step':
      return isStepCard(node);
    case 'dialog':
      return node.id !== dialogId;
    case 'start':
    case 'trigger':
      return ![...linksOf(node.id)].some(({ to }) => (dialogId === null ? views[to.agentId] : to.agentId === dialogId));
    default:
      return false;
  }
}

/** Whether a dialog is no part of the shown run, or of the next one where none is shown. D1.31 */
export function isDialogOutside(nodeId: string, { run, participation }: Pick<WorkspaceState, 'run' | 'participation'>): boolean {
  if (showsRun({ run, views: cardViews(run) })) return run.execution?.dialogNodeId !== nodeId;
  return participation.reports.some(({ kind, nodeIds }) => kind === 'otherStart' && nodeIds.includes(nodeId));
}

/** Returns the state of a link in the shown run. Cards that a run passes through have the state of what lies beyond them. */
export function linkOnCanvas(link: Connection, on: RunOnCards): ShownLinkState {
  const { run } = on;
  const inRun = linkInRun(run, link.id);
  const state = inRun ?? (run.steps.length === 0 ? 'rest' : stateByEnds(link, on));
  if (!on.look.dims) return state;
  return state === 'rest' || (state === 'pending' && run.outcome !== null) ? 'dead' : state;
}

function stateByEnds(link: Connection, on: RunOnCards): ShownLinkState {
  const { run } = on;
  const from = on.nodeOf(link.from.agentId);
  const to = on.nodeOf(link.to.agentId);
  const dialogId = run.execution?.dialogNodeId ?? null;
  if (!from || !to) return 'rest';
  // Of its steps a graph knows all links: another one was drawn since.
  if (run.graph && on.views[from.id] && on.views[to.id]) return 'rest';
  // What leads to the dialog that began the run was passed by its start.
  if (to.id === dialogId && isStart(from)) return 'taken';
  if (isOutsideRun(from, on)) return 'rest';
  const of = (node: CanvasNode, way: 'from' | 'to') => (isPassed(node) ? beyond(node, way, on) : { view: on.views[node.id] });
  const before = of(from, 'from');
  const fromIsSource = !isAgentOrPerson(from) || before.isStart === true;
  return shownLinkState(before.view, of(to, 'to').view, { fromIsSource, settings: link.run });
}

/** A card of an agent or a user that a run passes through. */
function isPassed(node: CanvasNode): boolean {
  return isAgentOrPerson(node) && !isStepCard(node);
}

/** What a card that the run passes through is shown as. `isStart`: the run begins before it. */
type Beyond = { view: CardView | undefined; isStart?: boolean };

/** Finds the furthest view among the nearest steps before (`from`) or behind (`to`) a card that the run passes through. */
function beyond(node: CanvasNode, way: 'from' | 'to', on: RunOnCards): Beyond {
  const near = way === 'from' ? 'to' : 'from';
  const seen = new Set([node.id]);
  const open = [node.id];
  let found: CardView | undefined;
  let isStart = false;
  for (let id = open.pop(); id !== undefined && seen.size < maxPassed; id = open.pop())
    for (const link of on.linksOf(id)) {
      const next = link[way].agentId;
      if (link[near].agentId !== id || seen.has(next) || linkInRun(on.run, link.id) === 'dead') continue;
      seen.add(next);
      const view = on.views[next];
      const other = on.nodeOf(next);
      if (!other) continue;
      if (isPassed(other)) open.push(next);
      else if (!isAgentOrPerson(other)) isStart ||= !isOutsideRun(other, on);
      if (view && (!found || weight(view) > weight(found))) found = view;
    }
  return { view: found, isStart };
}

function weight({ state }: CardView): number {
  return state === 'done' || state === 'failed' || state === 'stopped' ? 3 : state === 'active' ? 2 : state === 'skipped' ? 0 : 1;
}
