import type { CanvasDocument, Connection } from '../../../../contract/canvas.ts';
import { maxPipelineLinks, type PipelineLink } from '../../../../contract/executions/pipeline.ts';

/** A path of links of the canvas, from its last one. */
export type Path = { linkId: string; before: Path | null };

/** A link of a run, and what it replaces on the canvas: a link, or a path through cards that are no steps. */
export type FoundLink = { link: PipelineLink; path: Path };

/** What decides the links of a run: its steps, the links that lead back without rounds, and the card that starts it. */
export type LinkScope = { stepIds: readonly string[]; leftOut: ReadonlySet<string>; starterId: string | null };

/**
 * Returns the links between the steps of a run. Cards that are no steps are followed through: A, a user card and B make a link from A to B.
 * A disabled card decides nothing: each of its links passes its input on, except those for failures and those of its review loops.
 * `sources`: the cards whose links are followed, the steps unless given. `onPath` gets each way from one of them to a step.
 */
export function linksBetween(
  { nodes, connections }: CanvasDocument,
  { stepIds, leftOut, starterId }: LinkScope,
  { sources = stepIds, onPath = () => {} }: { sources?: readonly string[]; onPath?: (path: Path) => void } = {},
): FoundLink[] {
  const steps = new Set(stepIds);
  const outgoing = Map.groupBy(
    Object.values(connections).filter(({ id }) => !leftOut.has(id)),
    ({ from }) => from.agentId,
  );
  const links: FoundLink[] = [];
  const taken = new Set<string>();
  const freeId = (...wanted: [string, ...string[]]) => {
    let id = wanted.find((one) => !taken.has(one));
    for (let number = 2; id === undefined; number += 1) {
      const numbered = `${wanted[0].slice(0, 180)}~${number}`;
      if (!taken.has(numbered)) id = numbered;
    }
    taken.add(id);
    return id;
  };
  // The links of the canvas keep their ids. Links that replace a path through other cards are added after them.
  const through: { from: string; start: Step; at: string }[] = [];
  for (const from of sources)
    for (const link of outgoing.get(from) ?? []) {
      const to = link.to.agentId;
      if (steps.has(to)) {
        const path = { linkId: link.id, before: null };
        links.push({ link: { ...link.run, id: freeId(link.id), from, to }, path });
        onPath(path);
      } else if (to !== starterId && Object.hasOwn(nodes, to)) through.push({ from, start: { id: link.id, run: link.run }, at: to });
    }
  const known = new Set(through.length > 0 ? links.map(({ link }) => sameness(link)) : []);
  for (const { from, start, at } of through) {
    const seen = new Set([at]);
    const open = [{ at, run: start.run, path: { linkId: start.id, before: null } as Path }];
    for (let card = open.pop(); card; card = open.pop())
      for (const link of outgoing.get(card.at) ?? []) {
        const to = link.to.agentId;
        const passed = nodes[card.at]?.disabled ? settingsBehindDisabled(link.run) : link.run;
        if (passed === null) continue;
        // The settings of the step's own link take precedence.
        const run = { ...passed, ...card.run };
        const path: Path = { linkId: link.id, before: card.path };
        // A way back to the step itself would have nothing to repeat.
        if (to === from) continue;
        if (steps.has(to)) {
          if (run.maxRounds !== undefined && onlyStepBack(outgoing, steps, { from, at }) !== to) continue;
          onPath(path);
          if (known.has(sameness({ ...run, from, to }))) continue;
          known.add(sameness({ ...run, from, to }));
          links.push({ link: { ...run, id: freeId(link.id, start.id), from, to }, path });
          if (links.length > maxPipelineLinks) return links;
        } else if (to !== starterId && !seen.has(to) && Object.hasOwn(nodes, to)) {
          seen.add(to);
          open.push({ at: to, run, path });
        }
      }
  }
  return links;
}

type Step = { id: string; run: Omit<PipelineLink, 'id' | 'from' | 'to'> | undefined };

/**
 * Returns the step at which a review loop begins again whose link leads to a card that is no step: the only one behind that card that leads
 * to the loop's end. Null for none, and for several: such a loop has no one beginning, and does not repeat.
 */
function onlyStepBack(
  outgoing: ReadonlyMap<string, readonly Connection[]>,
  steps: ReadonlySet<string>,
  { from, at }: { from: string; at: string },
): string | null {
  const reached = (begin: string, passes: (id: string) => boolean) => {
    const seen = new Set([begin]);
    // A set is iterated in the order in which it grows.
    for (const id of seen) if (id === begin || passes(id)) for (const link of outgoing.get(id) ?? []) seen.add(link.to.agentId);
    return seen;
  };
  const leadsBack = (id: string) => id === from || forwardFrom(outgoing, id).has(from);
  const [first, ...others] = [...reached(at, (id) => !steps.has(id))].filter((id) => steps.has(id) && leadsBack(id));
  return first !== undefined && others.length === 0 ? first : null;
}

/** The cards that links without rounds lead to from a card. */
function forwardFrom(outgoing: ReadonlyMap<string, readonly Connection[]>, begin: string): ReadonlySet<string> {
  const seen = new Set([begin]);
  for (const id of seen) for (const { run, to } of outgoing.get(id) ?? []) if (run?.maxRounds === undefined) seen.add(to.agentId);
  return seen;
}

/** A disabled card never fails, chooses or repeats. Null: its input does not go along the link. */
function settingsBehindDisabled(run: Step['run']): Step['run'] | null {
  if (run?.onFailure || run?.maxRounds !== undefined) return null;
  return run?.hold ? { hold: run.hold } : undefined;
}

/** The same for two links that say the same of the same steps. */
function sameness({ from, to, label, test, maxRounds, atLimit, onFailure, hold }: Omit<PipelineLink, 'id'>): string {
  return JSON.stringify([from, to, label, test, maxRounds, atLimit, onFailure, hold]);
}
