import type { LucideIcon } from 'lucide-react/types';
import type { PatternId } from '../../../model/patterns/pattern-ids.ts';
import { ListOrdered, Merge, Repeat, Split, UserCheck } from '../../../ui/icons/icons.ts';

export function PatternIcon({ id, size }: { id: PatternId; size: number }) {
  const Icon = icons[id];
  return <Icon size={size} strokeWidth={1.75} aria-hidden />;
}

const icons: Record<PatternId, LucideIcon> = {
  review: Repeat,
  choice: Split,
  forEach: ListOrdered,
  person: UserCheck,
  parallel: Merge,
};
