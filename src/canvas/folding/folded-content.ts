import type { CanvasNode } from '../../../contract/canvas.ts';
import { briefContent, type CardContent } from '../scene/cards/card-content.ts';
import type { CardTexts } from '../scene/text/card-texts.ts';
import { foldSigns } from './fold-sign.ts';
import type { FoldTally } from './fold-tallies.ts';
import type { FoldWords } from './fold-words.ts';
import { isFolded } from './folded-records.ts';

/**
 * Returns the content of a folded group: its title, how much is done, the worst state of its cards, the open questions and the cost. Outside a
 * run it names its first cards.
 */
export function foldedContent(node: CanvasNode, tally: FoldTally, texts: CardTexts, words: FoldWords): CardContent {
  const { count, done, total, asked, cost, view } = tally;
  const brief = briefContent(node, view, undefined, texts);
  const isInRun = total > 0;
  return {
    ...brief,
    title: `${foldSigns.folded} ${brief.title}`,
    model: words.cards(count),
    line: isInRun ? words.done(done, total) : namesOf(node),
    word: view.isLeftOut ? texts.leftOut : isInRun ? texts.state[view.state] : '',
    mark: asked > 0 ? words.asked(asked) : '',
    isLacking: asked > 0,
    figures: cost ? texts.cost(cost) : '',
    hasState: isInRun,
  };
}

function namesOf(node: CanvasNode): string {
  return isFolded(node) ? node.folded.names : '';
}
