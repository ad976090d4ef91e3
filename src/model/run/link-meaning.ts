import type { CanvasNode, Connection } from '../../../contract/canvas.ts';
import type { LinkSettings } from '../../../contract/executions/run-graph.ts';

/** What a link means beside the others out of its card: it is taken where no case fits, or it is a loop that runs all its rounds. */
export type LinkMeaning = 'otherwise' | 'always';

/** Returns null for a link that its own settings say all about. `ways`: all links out of its card, itself too. */
export function linkMeaning(link: Connection, ways: readonly Connection[], source: CanvasNode | undefined): LinkMeaning | null {
  const { run = {} } = link;
  const others = ways.flatMap(({ id, run: other = {} }) => (id === link.id || other.onFailure ? [] : [other]));
  if (run.maxRounds !== undefined && runsAllRounds(run, others, source?.step?.person?.buttons)) return 'always';
  return isUnconditional(run) && others.some(isCase) ? 'otherwise' : null;
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
