import type { CanvasDocument, CanvasNode, Connection } from '../../../../contract/canvas.ts';
import { isAgentCard, isWorkingAgent } from '../../../../rules/card.ts';
import { nodeSize } from '../../document/node-size.ts';

/**
 * Returns the agent that receives a dialog's message: the one chosen on the dialog, else one that it is linked to. Else one that is linked
 * to it, else the nearest by centre distance (world px). Among several, the upper and then the left one. Null without an agent on the
 * canvas. A disabled agent is passed through: the agents behind it take its place. `links` are all of the document, or at least the dialog's
 * own. W4.07
 */
export function resolveDialogTarget(
  document: CanvasDocument,
  dialog: CanvasNode,
  links: readonly Connection[] = Object.values(document.connections),
): CanvasNode | null {
  const chosen = dialog.targetAgentId ? agentAt(document, dialog.targetAgentId) : null;
  return chosen ?? linked(document, dialog, links) ?? nearest(document, dialog);
}

/** Returns how many agents a dialog's run begins with: those that its links lead to, or the one that is chosen on it. `links` as above. */
export function countAddressed(document: CanvasDocument, dialog: CanvasNode, links: readonly Connection[]): number {
  if (dialog.targetAgentId && agentAt(document, dialog.targetAgentId)) return 1;
  const led = links.flatMap(({ from, to }) => (from.agentId === dialog.id ? (agentAt(document, to.agentId)?.id ?? []) : []));
  return new Set(led).size;
}

/** Returns the agents that a dialog can address, in reading order. Users get no messages. */
export function agentsToAddress({ nodes }: CanvasDocument): CanvasNode[] {
  return Object.values(nodes).filter(isWorkingAgent).sort(byPlace);
}

function linked(document: CanvasDocument, dialog: CanvasNode, links: readonly Connection[]): CanvasNode | null {
  let after: CanvasNode | null = null;
  let before: CanvasNode | null = null;
  for (const { from, to } of links) {
    if (from.agentId === dialog.id) after = upper(after, agentAt(document, to.agentId));
    else if (to.agentId === dialog.id) before = upper(before, agentAt(document, from.agentId));
  }
  return after ?? before;
}

function upper(a: CanvasNode | null, b: CanvasNode | null): CanvasNode | null {
  if (!a || !b) return a ?? b;
  return byPlace(b, a) < 0 ? b : a;
}

function nearest(document: CanvasDocument, dialog: CanvasNode): CanvasNode | null {
  const from = centre(dialog);
  let best: CanvasNode | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const node of Object.values(document.nodes)) {
    if (!isWorkingAgent(node)) continue;
    const { x, y } = centre(node);
    const distance = Math.hypot(x - from.x, y - from.y);
    if (distance < bestDistance || (distance === bestDistance && best && byPlace(node, best) < 0)) {
      best = node;
      bestDistance = distance;
    }
  }
  return best;
}

/** Finds an agent node by its own id, or by its server agent's id. Behind a disabled one it is the upper of those that follow. */
function agentAt(document: CanvasDocument, id: string): CanvasNode | null {
  const { nodes } = document;
  const node = Object.hasOwn(nodes, id) ? nodes[id] : Object.values(nodes).find((candidate) => candidate.serverAgentId === id);
  if (!node || !isAgentCard(node)) return null;
  return node.disabled ? behindDisabled(document, node) : node;
}

function behindDisabled({ nodes, connections }: CanvasDocument, disabled: CanvasNode): CanvasNode | null {
  const next = Map.groupBy(Object.values(connections), ({ from }) => from.agentId);
  const seen = new Set([disabled.id]);
  let best: CanvasNode | null = null;
  // A set is iterated in the order in which it grows.
  for (const id of seen)
    for (const { to } of next.get(id) ?? []) {
      const node = nodes[to.agentId];
      if (node && isWorkingAgent(node)) best = upper(best, node);
      else if (node?.disabled) seen.add(node.id);
    }
  return best;
}

function centre(node: CanvasNode): { x: number; y: number } {
  const { width, height } = nodeSize(node);
  return { x: node.x + width / 2, y: node.y + height / 2 };
}

/** Compares nodes in reading order: top to bottom, then left to right, then by id. */
export function byPlace(a: CanvasNode, b: CanvasNode): number {
  return a.y - b.y || a.x - b.x || (a.id < b.id ? -1 : 1);
}
