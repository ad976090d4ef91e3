import { CSPProvider } from '@base-ui/react/csp-provider';
import type { ReactNode } from 'react';
import { ErrorBoundary } from './error-boundary.tsx';
import { UpdateOffer } from './update-offer.tsx';

/** What every page stands in. Neither session nor router is among it: a page that needs none starts none. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      <ErrorBoundary>{children}</ErrorBoundary>
      <UpdateOffer />
    </CSPProvider>
  );
}
