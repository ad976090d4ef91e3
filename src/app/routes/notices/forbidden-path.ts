import { withoutTrailingSlashes } from '../../../../contract/without-trailing-slashes.ts';

export const forbiddenPath = '/forbidden';

/** Returns whether refused access on the page at `path` redirects to the forbidden page; never from that page itself. P2.04 */
export function canRedirectToForbidden(path: string): boolean {
  return withoutTrailingSlashes(path.toLowerCase()) !== forbiddenPath;
}
