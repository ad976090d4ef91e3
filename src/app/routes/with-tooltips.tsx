import { Outlet } from 'react-router-dom';
import { TooltipProvider } from '../../ui/controls/overlays/tooltip.tsx';

/** Pages whose tooltips follow one another without waiting again. The landing page is none of them: it stays light. */
export function WithTooltips() {
  return (
    <TooltipProvider delay={450} closeDelay={0}>
      <Outlet />
    </TooltipProvider>
  );
}
