import { consoleHeightLimits } from '../frame/panels.tsx';

/** The share of a window's height that the console takes where its default height would leave no room for the canvas. */
const share = 0.45;
/** From this height of the window on it has its default height (CSS px). */
const roomyWindow = 890;

/** The console's height: as it was chosen, else 400 px or 45 % of a lower window. At least 100 px, at most the window less 40 px. W2.14 */
export function clampConsoleHeight(chosen: number | null, windowHeight: number): number {
  const height = chosen ?? (windowHeight >= roomyWindow ? consoleHeightLimits.default : Math.round(windowHeight * share));
  const max = Math.max(consoleHeightLimits.min, windowHeight - consoleHeightLimits.belowWindow);
  return Math.min(max, Math.max(consoleHeightLimits.min, height));
}
