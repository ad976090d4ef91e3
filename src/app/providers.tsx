import { CSPProvider } from '@base-ui/react/csp-provider';
import type { ReactNode } from 'react';
import { FaultBoundary } from './fault-boundary.tsx';
import { UpdateOffer } from './update-offer.tsx';

/** What every page stands in. Neither session nor router is among it: a page that needs none starts none. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      <FaultBoundary>{children}</FaultBoundary>
      <UpdateOffer />
    </CSPProvider>
  );
}
