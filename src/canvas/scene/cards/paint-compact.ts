import { nodeSize } from '../../../model/document/node-size.ts';
import { type CardShape, canvasKinds } from '../../canvas-kinds.ts';
import { levelFloors } from '../../geometry/level-of-detail.ts';
import { mix } from '../gpu/colour.ts';
import type { TextLine } from '../text/text-layout.ts';
import type { TextStyle } from '../text/text-style.ts';
import { isFaint } from './card-colours.ts';
import type { Card, CardPainter, CardPen } from './card-pen.ts';

const bandHeight = 3;
const tileSize = 20;
const sidePadding = 9;
/** From row to row of a title that is set small. */
const rowHeight = 12;

/** Band, pictogram, state and title; all but the card itself measured in CSS px, from the card's corners. */
export const paintCompact: CardPainter = (pen, card, { fitZoom, ports }) => {
  const { node, content } = card;
  pen.writer.alpha = 1;
  pen.body(card, bandHeight / fitZoom, 0.6 / fitZoom);
  pen.writer.alpha = isFaint(content) ? 0.5 : 1;
  bodies[canvasKinds[node.type].card](pen, card, fitZoom);
  pen.writer.alpha = 1;
  if (!ports) return;
  const { width, height } = nodeSize(node);
  pen.writer.anchor(node.x, node.y + height / 2);
  pen.port(0, 0, 8, 1.5, 'screen', card.inUsed);
  pen.writer.anchor(node.x + width, node.y + height / 2);
  pen.port(0, 0, 8, 1.5, 'screen', card.outUsed);
};

const bodies: Record<CardShape, (pen: CardPen, card: Card, fitZoom: number) => void> = {
  work: paintStacked,
  row: paintRow,
  form: paintDialog,
};

function paintStacked(pen: CardPen, { node, content }: Card, fitZoom: number): void {
  const { width, height } = nodeSize(node);
  const title = titleRows(pen, content.title, { width, taken: 2 * sidePadding, fitZoom, atMost: 2 });
  // The space over, between and under the two rows is a third of what is left. Of the card's height the anchor has it, so that it is right at each zoom.
  const taken = (bandHeight + tileSize + title.height) / 3;
  pen.writer.anchor(node.x, node.y + height / 3);
  tile(pen, content, sidePadding, bandHeight - taken);
  pen.writer.anchor(node.x + width, node.y + height / 3);
  if (content.hasState) pen.state(content.state, -sidePadding - 8, bandHeight - taken + tileSize / 2, 15, pen.stateColour(content));
  pen.writer.anchor(node.x, node.y + (height * 2) / 3);
  const { style, rows } = title;
  for (const [i, row] of rows.entries())
    pen.text(style, row, sidePadding, taken - 1.5 - (rows.length - 1 - i) * rowHeight, pen.palette.text);
}

function paintRow(pen: CardPen, { node, content }: Card, fitZoom: number): void {
  const { width, height } = nodeSize(node);
  pen.writer.anchor(node.x, node.y + height / 2);
  tile(pen, content, sidePadding - 4, 1.5 - tileSize / 2);
  const left = sidePadding + tileSize;
  const { style, rows } = titleRows(pen, content.title, { width, taken: left + 5, fitZoom, atMost: 1 });
  for (const row of rows) pen.text(style, row, left, 6, pen.palette.text);
}

/** The `width` of a card (world px), and what else `taken` is of it (CSS px). */
type TitleRoom = { width: number; taken: number; fitZoom: number; atMost: number };

/**
 * Lays out a title in one row if it fits at the smallest zoom of the level, else smaller and in at most `atMost` rows; `height` in CSS px. So
 * its size and its rows are the same at all zooms, and a zoom that settles moves nothing: it only shows more letters of a cut row.
 */
function titleRows(
  { layout }: CardPen,
  title: string,
  { width, taken, fitZoom, atMost }: TitleRoom,
): { style: TextStyle; rows: readonly TextLine[]; height: number } {
  const least = width * levelFloors.compact - taken;
  const whole = layout.line('titleCompact', title);
  if (whole.width <= least) return { style: 'titleCompact', rows: [whole], height: 14 };
  const rows = layout.lines('titleSmall', title, least, atMost, width * fitZoom - taken);
  return { style: 'titleSmall', rows, height: rows.length * rowHeight };
}

/** Draws a simplified form: the text box and the send button. */
function paintDialog(pen: CardPen, { node, content }: Card, fitZoom: number): void {
  const { palette, writer } = pen;
  const { width, height } = nodeSize(node);
  writer.anchor(node.x, node.y);
  const box = { x: 16, y: 96, width: width - 32, height: 78 };
  writer.shape({ ...box, radius: 6, fill: palette.canvas, border: 0.7 / fitZoom, stroke: palette.controlBorder, strokeAlpha: 0.7 });
  for (const [row, share] of [0.82, 0.9, 0.46].entries()) {
    writer.shape({
      x: box.x + 12,
      y: box.y + 14 + row * 20,
      width: (box.width - 24) * share,
      height: 6,
      radius: 3,
      fill: palette.muted,
      fillAlpha: 0.3,
    });
  }
  const button = { y: height - 46, height: 30, radius: 6, width: (width - 42) / 2 };
  writer.shape({ ...button, x: 16, fill: palette.raised, border: 0.7 / fitZoom, stroke: palette.controlBorder, strokeAlpha: 0.7 });
  writer.shape({ ...button, x: 26 + button.width, fill: palette.accent });
  tile(pen, content, sidePadding, bandHeight + 6);
  const left = sidePadding + tileSize + 7;
  const taken = left + sidePadding + (content.state === 'idle' ? 0 : 20);
  const { style, rows } = titleRows(pen, content.title, { width, taken, fitZoom, atMost: 2 });
  for (const [i, row] of rows.entries())
    pen.text(style, row, left, bandHeight + 20 + (i - (rows.length - 1) / 2) * rowHeight, palette.text);
  if (content.state === 'idle') return;
  writer.anchor(node.x + width, node.y);
  pen.state(content.state, -sidePadding - 8, bandHeight + 16, 15, pen.stateColour(content));
}

function tile(pen: CardPen, content: Card['content'], x: number, y: number): void {
  const hue = pen.hue(content);
  pen.writer.shape({
    x,
    y,
    width: tileSize,
    height: tileSize,
    unit: 'screen',
    radius: 5,
    fill: mix(pen.palette.raised, hue, pen.palette.tileShare),
  });
  pen.icon(content.icon, x + tileSize / 2, y + tileSize / 2, 12, hue);
}
