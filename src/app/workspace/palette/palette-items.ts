import type { LucideIcon } from 'lucide-react/types';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import type { Hue } from '../../../model/agents/roles.ts';
import type { CardState } from '../../../model/card-view.ts';
import type { RoleIconName } from '../../../ui/icons/role-icon-name.ts';

/** One line of the palette. */
export type PaletteItem = {
  id: string;
  title: string;
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
