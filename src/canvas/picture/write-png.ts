import { drawSketch } from './draw-sketch.ts';
import { encodePng } from './encode-png.ts';
import type { Sketch } from './mark.ts';

/** Limits of browsers and viewers: px across, px down, and px in all. */
export const pngLimits = { width: 16_384, height: 65_535, pixels: 250_000_000 } as const;
/** Rows a strip has, so that the whole picture is never in memory. */
const rowsAtOnce = 256;

/** The scale at which a picture is saved: the requested one, or less if the limits ask for it. */
export function pngScale({ bounds }: Sketch, wanted: number): number {
  const width = bounds.right - bounds.left;
  const height = bounds.bottom - bounds.top;
  return Math.min(wanted, pngLimits.width / width, pngLimits.height / height, Math.sqrt(pngLimits.pixels / (width * height)));
}

/** The picture as a PNG file, drawn strip by strip. */
export function writePng(sketch: Sketch, scale: number): Promise<Blob> {
  const { bounds } = sketch;
  const width = Math.max(1, Math.floor((bounds.right - bounds.left) * scale));
  const height = Math.max(1, Math.floor((bounds.bottom - bounds.top) * scale));
  const canvas = new OffscreenCanvas(width, Math.min(rowsAtOnce, height));
  const pen = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
  if (!pen) throw new Error('No 2D context');
  return encodePng({ width, height }, (top) => {
    const rows = Math.min(canvas.height, height - top);
    drawSketch(pen, sketch, scale, top);
    return pen.getImageData(0, 0, width, rows);
  });
}
