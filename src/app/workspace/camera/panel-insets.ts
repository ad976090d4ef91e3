import type { EphemeralState } from '../../../canvas/canvas-view.ts';
import { clampConsoleHeight } from '../console/clamp-console-height.ts';
import type { Panels } from '../frame/panels.tsx';
import { isShortWindow } from '../frame/short-window.ts';

const gap = 12;
const barHeight = 44;
const sidebarWidth = 256;
const collapsedSidebarWidth = 44;
const searchWidth = 400;
/** Also of the choice of what runs again, which lies over a history. */
const historyWidth = 408;
/** A comparison of two runs has room beside the canvas in a window of at least this width. */
const compare = { width: 620, minWindowWidth: 1_360 } as const;
/** The share of a phone's screen that a comparison with a version takes, and the choice of what runs again. */
const sheetShare = 0.5;
const consoleBarHeight = 40;
const runControl = 56;
/** The zoom control, with or without its minimap. */
const zoomControl = { width: 176, height: 40, heightWithMap: 139 } as const;
/** The minimap needs a window of at least this height. */
const minWindowHeightForMap = 561;

/** `wrapped`: in a window that is narrower, the bar has two lines. At the end of the demonstration it also shows its closing message. */
const narrow = {
  barHeight: 52,
  consoleBarHeight: 52,
  runControlHeight: 58,
  wrapped: { below: 505, runControlHeight: 138, atDemoEnd: 214 },
} as const;

/** Returns the insets of the canvas: the area of the window that panels cover (CSS px). */
export function panelInsets(
  panels: Pick<Panels, 'sidebar' | 'history' | 'versions' | 'console' | 'consoleHeight' | 'minimap'> & {
    comparesRuns?: boolean;
    rerun?: boolean;
    /** A search of the canvas stands over the sidebar. */
    searches?: boolean;
  },
  options: { mobile: boolean; readOnly: boolean; demo: boolean; demoEnded: boolean; windowWidth: number; windowHeight: number },
): EphemeralState['insets'] {
  const runs = !options.readOnly || options.demo;
  const isShort = isShortWindow(options.windowHeight);
  if (options.mobile) {
    const { wrapped } = narrow;
    const isWrapped = !isShort && options.windowWidth < wrapped.below;
    const height = options.demoEnded ? wrapped.atDemoEnd : isWrapped ? wrapped.runControlHeight : narrow.runControlHeight;
    return {
      top: gap + narrow.barHeight,
      right: 0,
      // Sheets that are low while the canvas is looked at.
      bottom:
        panels.versions || panels.rerun
          ? Math.round(options.windowHeight * sheetShare)
          : (isShort ? 0 : gap + narrow.consoleBarHeight) + gap + (runs ? height : 0),
      left: 0,
    };
  }
  // A full-screen console covers everything: the canvas behind it keeps the layout from before.
  const consoleHeight = panels.console === 'open' ? clampConsoleHeight(panels.consoleHeight, options.windowHeight) : consoleBarHeight;
  const hasOneRow = isShort && panels.console !== 'open';
  const isComparing = panels.comparesRuns === true && options.windowWidth >= compare.minWindowWidth;
  const edges = {
    top: gap + barHeight,
    right: isComparing ? gap + compare.width : panels.history || panels.rerun ? gap + historyWidth : 0,
    bottom: hasOneRow ? gap + runControl : gap + consoleHeight + (runs ? gap + runControl : 0),
    left: gap + (panels.searches ? searchWidth : panels.sidebar || options.readOnly ? sidebarWidth : collapsedSidebarWidth),
  };
  const hasMap = panels.minimap && options.windowHeight >= minWindowHeightForMap;
  const height = hasMap ? zoomControl.heightWithMap : zoomControl.height;
  // These panels move the zoom control to their left and above the run control.
  const raised = isComparing || panels.history || hasOneRow ? gap + runControl : 0;
  const below = hasOneRow ? 0 : gap + consoleHeight;
  return { ...edges, corner: { width: edges.right + zoomControl.width, height: below + gap + raised + height } };
}
