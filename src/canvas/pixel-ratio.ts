/** Above this the picture costs more and gets no sharper. */
const maxPixelRatio = 2;

/** Device px that the canvas is drawn with for each CSS px. */
export function pixelRatio(): number {
  return Math.min(maxPixelRatio, window.devicePixelRatio || 1);
}
