import { withoutTrailingSlashes } from '../../../contract/without-trailing-slashes.ts';

export const forbiddenPath = '/forbidden';

/** Whether refused access may lead from the page at `path` to the page that says so: never from that page to itself. P2.04 */
export function canRedirectToForbidden(path: string): boolean {
  return withoutTrailingSlashes(path.toLowerCase()) !== forbiddenPath;
}
