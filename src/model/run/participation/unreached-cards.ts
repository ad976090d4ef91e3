import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import { isStarter } from '../../../../rules/card.ts';
import { linksBack } from '../../document/links/links-back.ts';
import { linksForward } from '../plan/run-scope.ts';
import { successors } from '../plan/successors.ts';

/** Cards that a run does not reach, and the dialog or start card that leads to them. */
type OtherStart = { starter: CanvasNode; nodeIds: string[] };

/** Returns what other dialogs and start cards begin: each card once, at the first of them. The starter is the first of its cards. */
export function otherStarts(document: CanvasDocument, unreached: ReadonlySet<string>): OtherStart[] {
  const next = successors(document);
  const seen = new Set<string>();
  const starters = [...unreached].flatMap((id) => document.nodes[id] ?? []).filter(isStarter);
  // Starters lead their own reports, also where one leads to another.
  for (const { id } of starters) seen.add(id);
  return starters.map((starter) => ({ starter, nodeIds: [starter.id, ...follow(next, starter.id, unreached, seen)] }));
}

/** Returns the cards that no link of the run leads to, each with those behind it that nothing else leads to. */
export function withoutWayIn(
  document: CanvasDocument,
  unreached: ReadonlySet<string>,
  told: ReadonlySet<string>,
): { first: string; nodeIds: string[] }[] {
  const open = [...unreached].filter((id) => !told.has(id));
  if (open.length === 0) return [];
  const next = successors(document);
  const inside = new Set(open);
  const forward = linksForward(document).filter(({ from, to }) => inside.has(from.agentId) && inside.has(to.agentId));
  const back = linksBack(open, forward, null);
  const led = new Set(forward.filter((link) => !back.has(link)).map(({ to }) => to.agentId));
  const firsts = open.filter((id) => !led.has(id)).sort();
  const seen = new Set(firsts);
  return firsts.map((first) => ({ first, nodeIds: [first, ...follow(next, first, inside, seen)] }));
}

/** Follows links among cards, and adds to `seen` what it finds. */
function follow(next: ReadonlyMap<string, string[]>, start: string, among: ReadonlySet<string>, seen: Set<string>): string[] {
  const found: string[] = [];
  const open = [start];
  for (let id = open.pop(); id !== undefined; id = open.pop())
    for (const to of next.get(id) ?? []) {
      if (seen.has(to) || !among.has(to)) continue;
      seen.add(to);
      found.push(to);
      open.push(to);
    }
  return found;
}
