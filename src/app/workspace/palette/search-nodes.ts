import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import { byPlace } from '../../../model/run/resolve-dialog-target.ts';

/** Letters of a note's first line that stand for its name. */
const longestTitle = 120;

/** Cards in reading order with what they are called, a note by what stands in it, for many searches in a row. */
export type Searchable = readonly { node: CanvasNode; title: string; words: string }[];

export function searchable(nodes: CanvasDocument['nodes'], titleOf: (node: CanvasNode) => string): Searchable {
  return Object.values(nodes)
    .sort(byPlace)
    .map((node) => {
      const text = node.type === 'note' ? (node.description ?? '').trim() : '';
      const title = text.split('\n')[0]?.slice(0, longestTitle) || titleOf(node);
      return { node, title, words: `${text} ${node.title || title}`.trim().replace(/\s+/g, ' ').toLocaleLowerCase() };
    });
}

/** The cards whose name has the query in it: those that begin with it first, then those with a word that does, else in reading order. All for an empty query. */
export function searchNodes(cards: Searchable, query: string): Searchable {
  const wanted = query.trim().toLocaleLowerCase();
  if (wanted === '') return cards;
  const ranks: Searchable[number][][] = [[], [], []];
  for (const card of cards) {
    const at = card.words.indexOf(wanted);
    if (at < 0) continue;
    ranks[at === 0 ? 0 : card.words.includes(` ${wanted}`) ? 1 : 2]?.push(card);
  }
  return ranks.flat();
}
