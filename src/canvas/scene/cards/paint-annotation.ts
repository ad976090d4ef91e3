import type { CanvasNode } from '../../../../contract/canvas.ts';
import { nodeHue } from '../../../model/agents/roles.ts';
import { nodeSize } from '../../../model/document/node-size.ts';
import type { DetailLevel } from '../../geometry/level-of-detail.ts';
import { mix } from '../gpu/colour.ts';
import type { TextLayout, TextLine } from '../text/text-layout.ts';
import type { TextStyle } from '../text/text-style.ts';
import type { CardPen } from './card-pen.ts';

/** `fitZoom`: the smallest zoom at which it will be shown so. Text is measured in world px at full detail and in CSS px below it. */
type Options = { level: DetailLevel; fitZoom: number; name: string };

/** How a note's text is set, in px of its text: style, distance from the edges, from line to line. */
const noteText = {
  full: { style: 'line', padding: 14, line: 18 },
  small: { style: 'mark', padding: 8, line: 14 },
} as const;

/** Larger ones first, so that those within lie on top. */
export function byArea(one: CanvasNode, other: CanvasNode): number {
  const area = ({ width = 0, height = 0 }: CanvasNode) => width * height;
  return area(other) - area(one);
}

export function paintAnnotation(pen: CardPen, node: CanvasNode, options: Options): void {
  if (node.type === 'note') paintNote(pen, node, options);
  else paintGroup(pen, node, options);
}

/** A coloured slip with as much of its text as it has room for. From afar it is a slip alone. */
function paintNote(pen: CardPen, node: CanvasNode, { level, fitZoom }: Options): void {
  const { palette, writer } = pen;
  const { width, height } = nodeSize(node);
  const hue = palette.hue[nodeHue(node)];
  writer.alpha = 1;
  writer.anchor(node.x, node.y);
  if (level === 'block') {
    writer.shape({ x: 0, y: 0, width, height, radius: 14, fill: mix(palette.canvas, hue, 0.34) });
    return;
  }
  pen.shadow({ width, height });
  writer.shape({
    x: 0,
    y: 0,
    width,
    height,
    radius: 8,
    fill: mix(palette.raised, hue, pen.isDark ? 0.2 : 0.13),
    border: level === 'full' ? 1 : 0.6 / fitZoom,
    stroke: mix(palette.raised, hue, pen.isDark ? 0.42 : 0.38),
  });
  const { style, padding, line } = level === 'full' ? noteText.full : noteText.small;
  const scale = level === 'full' ? 1 : fitZoom;
  const rows = Math.floor((height * scale - 2 * padding + line - 13) / line);
  for (const [row, words] of noteLines(pen.layout, style, node.description ?? '', width * scale - 2 * padding, rows).entries()) {
    pen.text(style, words, padding, padding + 11 + row * line, palette.text);
  }
}

/** A frame with its name on the upper edge, which stays as large as text is at that level. */
function paintGroup(pen: CardPen, node: CanvasNode, { level, fitZoom, name }: Options): void {
  const { palette, writer } = pen;
  const { width, height } = nodeSize(node);
  const hue = palette.hue[nodeHue(node)];
  const isFull = level === 'full';
  writer.alpha = 1;
  writer.anchor(node.x, node.y);
  writer.shape({
    x: 0,
    y: 0,
    width,
    height,
    radius: 16,
    fill: hue,
    fillAlpha: pen.isDark ? 0.1 : 0.06,
    border: isFull ? 1.5 : 1 / fitZoom,
    stroke: hue,
    strokeAlpha: 0.5,
  });
  const room = isFull ? width - 8 : width * fitZoom - 4;
  if (room < 32) return;
  const style = isFull ? 'title' : 'titleCompact';
  pen.text(style, pen.layout.line(style, name, room), isFull ? 4 : 2, isFull ? -10 : -6, mix(hue, palette.text, 0.3));
}

/** A text's lines, its own line ends kept, cut to a number of rows. */
function noteLines(layout: TextLayout, style: TextStyle, text: string, width: number, rows: number): TextLine[] {
  const lines: TextLine[] = [];
  if (width < 24) return lines;
  for (const paragraph of text.split('\n')) {
    if (lines.length >= rows) break;
    const set = layout.lines(style, paragraph, width, rows - lines.length);
    lines.push(...(set.length > 0 ? set : [emptyLine]));
  }
  return lines;
}

const emptyLine: TextLine = { parts: [], starts: [], width: 0 };
