import type { CanvasDocument, Connection } from '../../../contract/canvas.ts';
import type { LinkSettings } from '../../../contract/executions/run-graph.ts';

/** What a link means beside the others out of its card: it is taken where no case fits, or it is a loop that runs all its rounds. */
export type LinkMeaning = 'otherwise' | 'always';

/** The links out of a card. */
export type WaysFrom = (nodeId: string) => readonly Connection[];

/** Returns null for a link that its own settings say all about. */
export function linkMeaning(link: Connection, waysFrom: WaysFrom, nodes: CanvasDocument['nodes']): LinkMeaning | null {
  const { run = {} } = link;
  const others = waysFrom(link.from.agentId).flatMap(({ id, run: other = {} }) => (id === link.id || other.onFailure ? [] : [other]));
  const { buttons } = nodes[link.from.agentId]?.step?.person ?? {};
  if (run.maxRounds !== undefined && runsAllRounds(run, others, buttons) && !mayLeave(link, waysFrom, nodes)) return 'always';
  return isUnconditional(run) && others.some(isCase) ? 'otherwise' : null;
}

/** Whether a choice inside of a review loop may lead out of it, so that its end is not reached. */
export function mayLeave(loop: Connection, waysFrom: WaysFrom, nodes: CanvasDocument['nodes']): boolean {
  const last = loop.from.agentId;
  const behind = new Map<string, Connection[]>();
  const seen = new Set([loop.to.agentId]);
  // Sets are iterated in the order in which they grow.
  for (const id of seen) {
    const ways = id === last ? [] : waysFrom(id).filter(({ run }) => run?.maxRounds === undefined && !run?.onFailure);
    behind.set(id, ways);
    for (const { to } of ways) seen.add(to.agentId);
  }
  const into = Map.groupBy([...behind.values()].flat(), ({ to }) => to.agentId);
  const inside = new Set([last]);
  for (const id of inside) for (const { from } of into.get(id) ?? []) inside.add(from.agentId);
  return [...inside].some((id) => {
    const ways = behind.get(id) ?? [];
    const { buttons = [] } = nodes[id]?.step?.person ?? {};
    return (
      id !== last && (buttons.length > 0 || (ways.some(({ run = {} }) => isCase(run)) && ways.some(({ to }) => !inside.has(to.agentId))))
    );
  });
}

/** Whether nothing ends a review loop before its last round. `others`: the other ways out of its start, without those for failures. */
export function runsAllRounds(loop: LinkSettings, others: readonly LinkSettings[], buttons: readonly string[] = []): boolean {
  if (isUnconditional(loop)) return !others.some(isCase);
  const leads = others.some((other) => isUnconditional(other) || other.test || other.label !== loop.label);
  return !loop.test && !leads && !buttons.some((button) => button !== loop.label);
}

/**
 * The links out of a review loop's start that lead on, where one label can name them: they have no tests, and the same label or none.
 * `ways`: all links out of that card.
 */
export function waysOn(ways: readonly Connection[], loop: Connection): Connection[] {
  const others = ways.filter(({ id, run }) => id !== loop.id && !run?.onFailure);
  const leading = others.filter(({ run }) => run?.maxRounds === undefined);
  const labels = new Set(leading.map(({ run }) => run?.label));
  return others.some(({ run }) => run?.test) || labels.size > 1 ? [] : leading;
}

/** The same as of the rules, without their weight on the page. */
function isUnconditional({ label, test, onFailure }: LinkSettings): boolean {
  return label === undefined && !test && !onFailure;
}

function isCase({ label, test }: LinkSettings): boolean {
  return label !== undefined || test !== undefined;
}
