import type { CanvasNode } from '../../../../contract/canvas.ts';
import { isNote } from '../../../../rules/card.ts';
import { nodeHue } from '../../../model/agents/roles.ts';
import { nodeSize } from '../../../model/document/node-size.ts';
import type { DetailLevel } from '../../geometry/level-of-detail.ts';
import { mix } from '../gpu/colour.ts';
import { groupColours, groupName, groupRadius, noteColours, noteLayout, noteRadius } from './annotation-layout.ts';
import type { CardPen } from './card-pen.ts';

/** `fitZoom`: the smallest zoom at which it will be shown so. Text is measured in world px at full detail and in CSS px below it. */
type Options = { level: DetailLevel; fitZoom: number; name: string };

/** Draws a note or a group. */
export function paintAnnotation(pen: CardPen, node: CanvasNode, options: Options): void {
  if (isNote(node)) paintNote(pen, node, options);
  else paintGroup(pen, node, options);
}

/** Draws a coloured note with as much of its text as fits. At the smallest zooms it has no text. */
function paintNote(pen: CardPen, node: CanvasNode, { level, fitZoom }: Options): void {
  const { palette, writer } = pen;
  const { width, height } = nodeSize(node);
  writer.alpha = 1;
  writer.anchor(node.x, node.y);
  if (level === 'block') {
    writer.shape({ x: 0, y: 0, width, height, radius: 14, fill: mix(palette.canvas, palette.hue[nodeHue(node)], 0.34) });
    return;
  }
  const isFull = level === 'full';
  const { fill, stroke, text } = noteColours(node, palette, pen.isDark);
  pen.shadow({ width, height });
  writer.shape({ x: 0, y: 0, width, height, radius: noteRadius, fill, border: isFull ? 1 : 0.6 / fitZoom, stroke });
  for (const line of noteLayout(node, pen.layout, isFull ? 'full' : 'small', isFull ? 1 : fitZoom)) pen.placed(line, text);
}

/** A frame with its name on the upper edge, which stays as large as text is at that level. */
function paintGroup(pen: CardPen, node: CanvasNode, { level, fitZoom, name }: Options): void {
  const { palette, writer } = pen;
  const { width, height } = nodeSize(node);
  const isFull = level === 'full';
  const { text, ...colours } = groupColours(node, palette, pen.isDark);
  writer.alpha = 1;
  writer.anchor(node.x, node.y);
  writer.shape({ x: 0, y: 0, width, height, radius: groupRadius, border: isFull ? 1.5 : 1 / fitZoom, ...colours });
  const placed = groupName(node, name, pen.layout, isFull ? 'full' : 'small', isFull ? 1 : fitZoom);
  if (placed) pen.placed(placed, text);
}
