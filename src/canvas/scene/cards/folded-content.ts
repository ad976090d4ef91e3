import type { CanvasNode } from '../../../../contract/canvas.ts';
import { foldSigns } from '../../folding/fold-sign.ts';
import type { FoldTally } from '../../folding/fold-tallies.ts';
import type { CardTexts } from '../text/card-texts.ts';
import { briefContent, type CardContent } from './card-content.ts';

/** Returns the content of a folded group: its title, how much is done, the worst state of its cards, the open questions and the cost. */
export function foldedContent(node: CanvasNode, { count, done, total, asked, cost, view }: FoldTally, texts: CardTexts): CardContent {
  const brief = briefContent(node, view, undefined, texts);
  const isInRun = total > 0;
  return {
    ...brief,
    title: `${foldSigns.folded} ${brief.title}`,
    model: texts.folded.cards(count),
    line: isInRun ? texts.folded.done(done, total) : '',
    word: view.isLeftOut ? texts.leftOut : isInRun ? texts.state[view.state] : '',
    mark: asked > 0 ? texts.folded.asked(asked) : '',
    isLacking: asked > 0,
    figures: cost ? texts.cost(cost) : '',
    hasState: isInRun,
  };
}
