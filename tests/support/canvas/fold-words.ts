import type { FoldWords } from '../../../src/canvas/folding/fold-words.ts';

export const foldWords: FoldWords = {
  folded: 'folded',
  opened: 'opened',
  cards: (count) => `${count} cards`,
  links: (count) => `${count} links`,
  done: (done, total) => `${done} of ${total} done`,
  asked: (count) => `${count} questions`,
  state: (state) => state,
};
