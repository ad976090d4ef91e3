import { Outlet } from 'react-router-dom';
import { TooltipProvider } from '../../ui/controls/overlays/tooltip.tsx';

/** Provides tooltips that follow one another without a delay. The landing page does not use it, to load less. */
export function WithTooltips() {
  return (
    <TooltipProvider delay={450} closeDelay={0}>
      <Outlet />
    </TooltipProvider>
  );
}
