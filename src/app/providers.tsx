import { CSPProvider } from '@base-ui/react/csp-provider';
import type { ReactNode } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { TooltipProvider } from '../ui/controls/tooltip.tsx';
import { FaultBoundary } from './fault-boundary.tsx';

/** What every page stands in. The session is not among it: a page that needs none starts none. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      <TooltipProvider delay={450} closeDelay={0}>
        <BrowserRouter>
          <FaultBoundary>{children}</FaultBoundary>
        </BrowserRouter>
      </TooltipProvider>
    </CSPProvider>
  );
}
