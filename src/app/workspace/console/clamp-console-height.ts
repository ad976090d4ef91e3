import { consoleHeightLimits } from '../panels.tsx';

/** A height the console may have: 100 px at least, the window less 40 px at most. W2.14 */
export function clampConsoleHeight(height: number, windowHeight: number): number {
  const max = Math.max(consoleHeightLimits.min, windowHeight - consoleHeightLimits.belowWindow);
  return Math.min(max, Math.max(consoleHeightLimits.min, height));
}
