import { cssColour, fontFamily, type Mark, type Sketch } from './mark.ts';

/** The distance by which lines and letters extend beyond their box (world px). */
const reach = 8;

type Pen = OffscreenCanvasRenderingContext2D;

/** Draws the rows from `top` on (px of the picture), as many as the pen's canvas has. */
export function drawSketch(pen: Pen, { bounds, background, groups }: Sketch, scale: number, top: number): void {
  const { width, height } = pen.canvas;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.fillStyle = cssColour(background);
  pen.fillRect(0, 0, width, height);
  const from = bounds.top + top / scale;
  const to = from + height / scale;
  for (const group of groups) {
    if (group.box.bottom + reach < from || group.box.top - reach > to) continue;
    for (const mark of group.marks) {
      pen.setTransform(scale, 0, 0, scale, -bounds.left * scale, -bounds.top * scale - top);
      drawMark(pen, mark);
    }
  }
}

function drawMark(pen: Pen, mark: Mark): void {
  pen.lineCap = 'round';
  pen.lineJoin = 'round';
  if (mark.kind === 'text') {
    pen.globalAlpha = 1;
    pen.fillStyle = cssColour(mark.colour);
    pen.font = `${mark.weight} ${mark.size}px ${fontFamily}`;
    pen.letterSpacing = `${mark.tracking}px`;
    pen.fillText(mark.text, mark.x, mark.y);
    return;
  }
  const path = new Path2D(mark.kind === 'path' ? mark.d : undefined);
  if (mark.kind === 'box') path.roundRect(mark.x, mark.y, mark.width, mark.height, mark.radius);
  else {
    pen.translate(mark.x, mark.y);
    pen.scale(mark.scale, mark.scale);
  }
  const fillAlpha = mark.kind === 'box' ? mark.fillAlpha : mark.alpha;
  const strokeAlpha = mark.kind === 'box' ? mark.strokeAlpha : mark.alpha;
  if (mark.fill !== undefined) {
    pen.globalAlpha = fillAlpha ?? 1;
    pen.fillStyle = cssColour(mark.fill);
    pen.fill(path);
  }
  if (mark.stroke === undefined) return;
  pen.globalAlpha = strokeAlpha ?? 1;
  pen.strokeStyle = cssColour(mark.stroke);
  pen.lineWidth = mark.line ?? 1;
  pen.setLineDash([...(mark.dash ?? [])]);
  if (mark.kind === 'path' && mark.cap) pen.lineCap = mark.cap;
  pen.stroke(path);
  pen.setLineDash([]);
}
