import { CSPProvider } from '@base-ui/react/csp-provider';
import type { ReactNode } from 'react';
import { ErrorBoundary } from './error-boundary.tsx';
import { UpdateOffer } from './update-offer.tsx';

/** The providers of every page. Session and router are not included, since not every page needs them. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      <ErrorBoundary>{children}</ErrorBoundary>
      <UpdateOffer />
    </CSPProvider>
  );
}
