import type { CanvasNode, Connection } from '../../../contract/canvas.ts';
import type { LinkSettings } from '../../../contract/executions/run-graph.ts';
import { isUnconditional } from '../../../rules/run-graph/choose-links.ts';

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

function isCase({ label, test }: LinkSettings): boolean {
  return label !== undefined || test !== undefined;
}
