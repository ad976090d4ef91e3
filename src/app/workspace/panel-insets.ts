import type { CanvasMoment } from '../../canvas/canvas-view.ts';
import { clampConsoleHeight } from './console/clamp-console-height.ts';
import type { Panels } from './panels.tsx';

const gap = 12;
const barHeight = 44;
const sidebarWidth = 256;
const historyWidth = 408;
const consoleBarHeight = 40;
const runControlHeight = 56;

const narrow = { barHeight: 52, consoleBarHeight: 52, runControlHeight: 116 } as const;

/** CSS px at each edge of the window that the panels cover, so that what matters on the canvas stands clear of them. */
export function panelInsets(
  panels: Pick<Panels, 'sidebar' | 'history' | 'console' | 'consoleHeight'>,
  options: { mobile: boolean; readOnly: boolean; windowHeight: number },
): CanvasMoment['insets'] {
  if (options.mobile) {
    return {
      top: gap + narrow.barHeight,
      right: 0,
      bottom: gap + narrow.consoleBarHeight + gap + (options.readOnly ? 0 : narrow.runControlHeight),
      left: 0,
    };
  }
  // A full-screen console covers everything: what lies behind it is laid out as before it grew.
  const consoleHeight = panels.console === 'open' ? clampConsoleHeight(panels.consoleHeight, options.windowHeight) : consoleBarHeight;
  return {
    top: gap + barHeight,
    right: panels.history ? gap + historyWidth : 0,
    bottom: gap + consoleHeight + (options.readOnly ? 0 : gap + runControlHeight),
    left: panels.sidebar || options.readOnly ? gap + sidebarWidth : 0,
  };
}
