import { isMerged } from './folding/folded-records.ts';
import type { Point } from './geometry/camera.ts';
import type { DocumentIndex } from './geometry/document-index.ts';
import { linkNear } from './hit-test.ts';

/** World px from the middle of a card to a link that it is put into. */
const insertReach = 36;

/** Returns the link that a card would be put into whose middle lies here (world px). D2.02 */
export function linkUnderCard(index: Pick<DocumentIndex, 'links' | 'routes'>, middle: Point): string | null {
  const near = linkNear(index, middle, insertReach);
  const line = near === null ? null : index.links.get(near);
  return line && !isMerged(line) ? line.id : null;
}
