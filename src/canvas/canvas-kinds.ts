import type { NodeType } from '../../contract/canvas.ts';

/** How a type of node is drawn and used on the canvas. `rules/node-kinds.ts` says what it is. */
type CanvasKind = {
  /** A `work` card shows a state, text and figures, a `row` its title alone, a `form` that of a dialog. A group has its card when it is folded. */
  card: CardShape;
  /** What a double click opens: an editor for its words, its form, or what the page has for it. */
  opens: 'words' | 'form' | 'page';
  /** Its context menu. */
  menu: 'node' | 'annotation' | 'group';
};
export type CardShape = 'work' | 'row' | 'form';

export const canvasKinds: Record<NodeType, CanvasKind> = {
  agent: { card: 'work', opens: 'page', menu: 'node' },
  start: { card: 'row', opens: 'page', menu: 'node' },
  dialog: { card: 'form', opens: 'form', menu: 'node' },
  flow: { card: 'work', opens: 'page', menu: 'node' },
  trigger: { card: 'row', opens: 'page', menu: 'node' },
  note: { card: 'work', opens: 'words', menu: 'annotation' },
  group: { card: 'work', opens: 'words', menu: 'group' },
};
