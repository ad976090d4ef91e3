import { CSPProvider } from '@base-ui/react/csp-provider';
import type { ReactNode } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { FaultBoundary } from './fault-boundary.tsx';

/** What every page stands in. The session is not among it: a page that needs none starts none. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      <BrowserRouter>
        <FaultBoundary>{children}</FaultBoundary>
      </BrowserRouter>
    </CSPProvider>
  );
}
