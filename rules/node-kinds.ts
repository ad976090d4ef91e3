import type { NodeType } from '../contract/canvas.ts';

/** What a type of node is to the document and to runs. `src/canvas/canvas-kinds.ts` says how it is drawn and used. */
export type NodeKind = {
  /**
   * To a run: a `step` is done by an agent or a person, a `dialog` and a `start` begin runs, a `trigger` only leads to what they begin. Runs
   * pass `none` by. An `annotation` has no links, takes no part, and can be resized.
   */
  run: 'step' | 'dialog' | 'start' | 'trigger' | 'none' | 'annotation';
  /** Whether it contains the nodes that lie in it, and can be folded. */
  isGroup?: true;
  /** World px, by rule and never by measuring; of an annotation until it is resized. W3.01 */
  size: { readonly width: number; readonly height: number };
  /** `role`: that of the node's role. */
  hue: 'role' | 'lime' | 'amber' | 'slate';
  icon: 'role' | 'trigger' | 'dialog' | 'note' | 'group';
  /** The codes of the problems of a node without what it needs. */
  missing?: { title: string; goal?: string };
  /** Whether menus offer it as it is. Its first title is a text of `locales/`, and its goal too if it needs one. */
  isOffered?: true;
};

const cardSize = { width: 280, height: 156 };
const rowSize = { width: 200, height: 68 };
/** A dialog's form is always open and needs more than 240 x 150: docs/decisions/how-large-a-dialogs-card-is.md. */
const dialogSize = { width: 280, height: 236 };
const needsGoal = { title: 'dialog.titleMissing', goal: 'dialog.goalMissing' };

export const nodeKinds = {
  agent: { run: 'step', size: cardSize, hue: 'role', icon: 'role' },
  start: { run: 'start', size: rowSize, hue: 'lime', icon: 'trigger', missing: { title: 'start.titleMissing' }, isOffered: true },
  dialog: { run: 'dialog', size: dialogSize, hue: 'lime', icon: 'dialog', missing: needsGoal, isOffered: true },
  flow: { run: 'none', size: cardSize, hue: 'lime', icon: 'trigger' },
  trigger: { run: 'trigger', size: rowSize, hue: 'lime', icon: 'trigger' },
  note: { run: 'annotation', size: { width: 220, height: 160 }, hue: 'amber', icon: 'note' },
  group: { run: 'annotation', isGroup: true, size: { width: 480, height: 320 }, hue: 'slate', icon: 'group' },
} as const satisfies Record<NodeType, NodeKind>;

/** The types of a kind, such as `TypeWith<{ isGroup: true }>`. */
export type TypeWith<Kind> = { [Type in keyof Kinds]: Kinds[Type] extends Kind ? Type : never }[keyof Kinds];
type Kinds = typeof nodeKinds;

/** The types that menus offer as they are. */
export type OfferedType = TypeWith<{ isOffered: true }>;
export const offeredTypes = (Object.keys(nodeKinds) as NodeType[]).filter((type) => kindOf({ type }).isOffered) as OfferedType[];

export function kindOf({ type }: { type: NodeType }): NodeKind {
  return nodeKinds[type];
}
