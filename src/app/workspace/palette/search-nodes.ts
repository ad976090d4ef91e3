import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import { isNote } from '../../../../rules/card.ts';
import { searchKey } from '../../../../rules/text/search-key.ts';
import { byPlace } from '../../../model/run/starters/resolve-dialog-target.ts';

/** The maximum length of a note's name, which is its first line. */
const maxTitleLength = 120;

/** Cards in reading order with their searchable names, prepared for several searches. A note is named by its text. */
export type Searchable = readonly { node: CanvasNode; title: string; words: string }[];

export function searchable(nodes: CanvasDocument['nodes'], titleOf: (node: CanvasNode) => string): Searchable {
  return Object.values(nodes)
    .sort(byPlace)
    .map((node) => {
      const text = isNote(node) ? (node.description ?? '').trim() : '';
      const title = text.split('\n')[0]?.slice(0, maxTitleLength) || titleOf(node);
      return { node, title, words: searchKey(`${text} ${node.title || title}`.trim().replace(/\s+/g, ' ')) };
    });
}

/**
 * Returns the cards whose name contains the query. First come names that begin with it, then names with a word that begins with it, then
 * the others, each in reading order. An empty query matches all.
 */
export function searchNodes(cards: Searchable, query: string): Searchable {
  const wanted = searchKey(query.trim());
  if (wanted === '') return cards;
  const ranks: Searchable[number][][] = [[], [], []];
  for (const card of cards) {
    const at = card.words.indexOf(wanted);
    if (at < 0) continue;
    ranks[at === 0 ? 0 : card.words.includes(` ${wanted}`) ? 1 : 2]?.push(card);
  }
  return ranks.flat();
}
