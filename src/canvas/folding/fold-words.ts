import type { CardState } from '../../model/card-view.ts';

/** The words of folded groups in the language of the interface. */
export type FoldWords = {
  /** Of a line in the list of cards. */
  folded: string;
  /** Said when a folded group has opened because a link is to end in it. */
  opened: string;
  cards: (count: number) => string;
  links: (count: number) => string;
  done: (done: number, total: number) => string;
  asked: (count: number) => string;
  state: (state: CardState) => string;
};
