import { Navigate, useLocation } from 'react-router-dom';
import { forbiddenPath, mayLeadToForbidden } from './forbidden-path.ts';

/** Leads to the page of refused access, and does nothing where that is the page already. P2.04 */
export function ToForbidden() {
  const { pathname } = useLocation();
  return mayLeadToForbidden(pathname) ? <Navigate to={forbiddenPath} replace /> : null;
}
