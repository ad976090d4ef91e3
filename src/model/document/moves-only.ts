import type { CanvasNode } from '../../../contract/canvas.ts';
import { isSame } from './document-differences.ts';
import type { DocumentChange } from './working-document.ts';

/** Whether a change moves cards, all of which are such, and does nothing else. */
export function movesOnly({ patches, inverse }: DocumentChange, isSuch: (node: CanvasNode) => boolean = () => true): boolean {
  return patches.every(({ op, path, value: after }, at) => {
    const before: Partial<CanvasNode> | undefined = inverse[at]?.value;
    if (op !== 'replace' || path[0] !== 'nodes' || !before || !isSuch(after)) return false;
    return isSame({ ...before, x: 0, y: 0 }, { ...after, x: 0, y: 0 });
  });
}
