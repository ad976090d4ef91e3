import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { StaffOnly } from './staff-only.tsx';

const DeadLettersPage = lazyPart(() => import('../../dead-letters/dead-letters-page.tsx').then((file) => file.DeadLettersPage));

/** The dead letters, for staff. */
export function DeadLettersRoute() {
  return (
    <StaffOnly>
      <DeadLettersPage />
    </StaffOnly>
  );
}
