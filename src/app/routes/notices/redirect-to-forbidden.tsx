import { Navigate, useLocation } from 'react-router-dom';
import { canRedirectToForbidden, forbiddenPath } from './forbidden-path.ts';

/** Redirects to the forbidden page; does nothing on that page itself. P2.04 */
export function RedirectToForbidden() {
  const { pathname } = useLocation();
  return canRedirectToForbidden(pathname) ? <Navigate to={forbiddenPath} replace /> : null;
}
