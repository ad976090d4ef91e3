import type { LucideIcon } from 'lucide-react/types';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import type { Hue } from '../../../model/agents/roles.ts';
import type { CardState } from '../../../model/card-view.ts';
import type { RoleIconName } from '../../../ui/icons/role-icon-name.ts';
import { matchesQuery } from '../sidebar/matches-query.ts';

/** One line of the palette. */
export type PaletteItem = {
  id: string;
  title: string;
  /** Other words by which it is found, after those whose title has them. */
  also?: string;
  /** Muted text beside the title. */
  note: string;
  look: { kind: 'role'; icon: RoleIconName; hue: Hue } | { kind: 'action'; icon: LucideIcon };
  keys: string | null;
  /** The state of a card's work; null if there is none to show. */
  state: CardState | null;
  /** The card of this line. */
  node: CanvasNode | null;
  run: () => void;
};

export type PaletteSection = { name: 'nodes' | 'add' | 'actions'; items: PaletteItem[] };

/** Returns the items that fit: those whose title has the words, then those that are called so elsewhere. */
export function foundItems(items: readonly PaletteItem[], query: string): PaletteItem[] {
  const named = items.filter(({ title }) => matchesQuery(title, query));
  const called = items.filter(({ title, also = '' }) => !matchesQuery(title, query) && matchesQuery(`${title} ${also}`, query));
  return [...named, ...called];
}
