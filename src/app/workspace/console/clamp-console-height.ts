import { consoleHeightLimits } from '../panels.tsx';

/** Limits the console's height: at least 100 px, at most the window less 40 px. W2.14 */
export function clampConsoleHeight(height: number, windowHeight: number): number {
  const max = Math.max(consoleHeightLimits.min, windowHeight - consoleHeightLimits.belowWindow);
  return Math.min(max, Math.max(consoleHeightLimits.min, height));
}
