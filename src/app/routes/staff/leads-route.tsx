import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { StaffOnly } from './staff-only.tsx';

const LeadsPage = lazyPart(() => import('../../leads/leads-page.tsx').then((file) => file.LeadsPage));

/** The demo requests, for staff. */
export function LeadsRoute() {
  return (
    <StaffOnly>
      <LeadsPage />
    </StaffOnly>
  );
}
