import type { TFunction } from 'i18next';
import { type CardView, stepsOfCard } from '../../model/card-view.ts';
import type { RunState } from '../../model/workspace-state.ts';
import { tallyOf } from '../folding/fold-tallies.ts';
import { isFolded } from '../folding/folded-records.ts';
import type { Folding } from '../folding/folding.ts';
import type { LineInRun } from './outline-line.tsx';
import type { OutlineRow } from './outline-rows.ts';

type Shown = { run: RunState; cards: Readonly<Record<string, CardView>>; folding: Folding | null };

/** The line of a folded group: how many cards it stands for, how much is done, their worst state, and open questions. Null for other lines. */
export function foldedLine(row: OutlineRow, { run, cards, folding }: Shown, t: TFunction<'canvas'>): Omit<LineInRun, 'asks'> | null {
  if (row.kind === 'link' || !folding || !isFolded(row.node)) return null;
  const shareOf = (id: string) => ({ view: cards[id], steps: stepsOfCard(run, id), hasEnded: run.outcome !== null });
  const { count, done, total, asked, view } = tallyOf(folding, row.node, shareOf);
  const inRun = [t('card.folded.done', { done, total }), t(`outline.state.${view.state}`)];
  const words = [t('card.folded.cards', { count }), ...(total > 0 ? inRun : []), asked > 0 ? t('question.badges', { count: asked }) : ''];
  return { inRun: undefined, round: null, rounds: null, itemsDone: 0, itemsTotal: 0, tools: words.filter(Boolean).join(', ') };
}
