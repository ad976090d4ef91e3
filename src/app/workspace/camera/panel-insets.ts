import type { EphemeralState } from '../../../canvas/canvas-view.ts';
import { clampConsoleHeight } from '../console/clamp-console-height.ts';
import type { Panels } from '../panels.tsx';

const gap = 12;
const barHeight = 44;
const sidebarWidth = 256;
const collapsedSidebarWidth = 44;
/** Also of the choice of what runs again, which lies over a history. */
const historyWidth = 408;
/** A comparison of two runs has room beside the canvas in a window of at least this width. */
const compare = { width: 620, minWindowWidth: 1_360 } as const;
/** The share of a phone's screen that a comparison with a version takes, and the choice of what runs again. */
const sheetShare = 0.5;
const consoleBarHeight = 40;
/** With the settings of runs below its buttons, and without them. */
const runControl = { height: 90, heightToRead: 56 } as const;
const messageBar = 60;
/** The tool panel, and right of it the zoom control with or without its minimap. */
const tools = { right: 228, height: 115, heightToRead: 74 } as const;
const zoomControl = { height: 40, heightWithMap: 139 } as const;
/** The minimap needs a window of at least this height. */
const minWindowHeightForMap = 561;

/** At the end of the demonstration the run control also shows its closing message. */
const narrow = {
  barHeight: 52,
  consoleBarHeight: 52,
  runControlHeight: 168,
  runControlHeightToRead: 116,
  runControlHeightAtDemoEnd: 214,
  messageBarHeight: 118,
} as const;

/** Returns the insets of the canvas: the area of the window that panels cover (CSS px). */
export function panelInsets(
  panels: Pick<Panels, 'sidebar' | 'history' | 'versions' | 'console' | 'consoleHeight' | 'minimap'> & {
    comparesRuns?: boolean;
    rerun?: boolean;
  },
  options: { mobile: boolean; readOnly: boolean; demo: boolean; demoEnded: boolean; windowWidth: number; windowHeight: number },
): EphemeralState['insets'] {
  const runs = !options.readOnly || options.demo;
  if (options.mobile) {
    const height = options.readOnly ? narrow.runControlHeightToRead : narrow.runControlHeight;
    return {
      top: gap + narrow.barHeight,
      right: 0,
      // Sheets that are low while the canvas is looked at.
      bottom:
        panels.versions || panels.rerun
          ? Math.round(options.windowHeight * sheetShare)
          : gap + narrow.consoleBarHeight + gap + (runs ? (options.demoEnded ? narrow.runControlHeightAtDemoEnd : height) : 0),
      left: 0,
    };
  }
  // A full-screen console covers everything: the canvas behind it keeps the layout from before.
  const consoleHeight = panels.console === 'open' ? clampConsoleHeight(panels.consoleHeight, options.windowHeight) : consoleBarHeight;
  const isComparing = panels.comparesRuns === true && options.windowWidth >= compare.minWindowWidth;
  const edges = {
    top: gap + barHeight,
    right: isComparing ? gap + compare.width : panels.history || panels.rerun ? gap + historyWidth : 0,
    bottom: gap + consoleHeight + (runs ? gap + runControlHeight(options.readOnly) : 0),
    left: gap + (panels.sidebar || options.readOnly ? sidebarWidth : collapsedSidebarWidth),
  };
  const hasMap = panels.minimap && options.windowHeight >= minWindowHeightForMap;
  const height = Math.max(options.readOnly ? tools.heightToRead : tools.height, hasMap ? zoomControl.heightWithMap : zoomControl.height);
  // These panels move the tools and the zoom control to their left and above the run control.
  const raised = isComparing || panels.history ? gap + runControlHeight(options.readOnly) : 0;
  const corner = { width: edges.right + tools.right, height: gap + consoleHeight + gap + raised + height };
  return { ...edges, corner: raised > 0 ? { ...corner, isRaised: true } : corner };
}

/** The height of the bar of a message with one line, with the gap below it (CSS px). */
export function messageBarHeight(mobile: boolean): number {
  return mobile ? narrow.messageBarHeight : messageBar;
}

/** The height of the run control in the wide layout (CSS px). */
export function runControlHeight(readOnly: boolean): number {
  return readOnly ? runControl.heightToRead : runControl.height;
}
