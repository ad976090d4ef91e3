import type { CanvasDocument } from '../../../contract/canvas.ts';
import { isGroup } from '../../../rules/card.ts';
import { boxOf, liesIn } from '../../model/document/annotations.ts';
import { without } from './fold-changes.ts';

/** Returns the folded groups without those that hide one of these nodes; the same set if all of them are shown. */
export function openedFor(nodes: CanvasDocument['nodes'], folded: ReadonlySet<string>, nodeIds: Iterable<string>): ReadonlySet<string> {
  const shown = [...nodeIds].flatMap((id) => nodes[id] ?? []);
  const isHiding = (id: string) => {
    const group = nodes[id];
    return isGroup(group) && shown.some((node) => node !== group && liesIn(node, boxOf(group)));
  };
  const hiding = new Set([...folded].filter(isHiding));
  return hiding.size === 0 ? folded : without(folded, hiding);
}
