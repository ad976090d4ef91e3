import { Navigate, useLocation } from 'react-router-dom';
import { canRedirectToForbidden, forbiddenPath } from './forbidden-path.ts';

/** Leads to the page of refused access, and does nothing where that is the page already. P2.04 */
export function RedirectToForbidden() {
  const { pathname } = useLocation();
  return canRedirectToForbidden(pathname) ? <Navigate to={forbiddenPath} replace /> : null;
}
