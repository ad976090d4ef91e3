import type { Measure } from '../scene/text/text-layout.ts';
import { cssFont } from '../scene/text/text-style.ts';

/** Measures text as the browser sets it, for pictures. */
export function createMeasure(): Measure {
  const pen = new OffscreenCanvas(1, 1).getContext('2d');
  return (style, text) => {
    if (!pen) return 0;
    pen.font = cssFont(style);
    return pen.measureText(text).width;
  };
}
