import type { CanvasNode } from '../../../../contract/canvas.ts';
import { nodeSize, type Size } from '../../../model/document/node-size.ts';
import { type CardShape, canvasKinds } from '../../canvas-kinds.ts';
import type { TextLayout, TextLine } from '../text/text-layout.ts';
import type { TextStyle } from '../text/text-style.ts';
import type { CardContent } from './card-content.ts';

export type PlacedText = { style: TextStyle; line: TextLine; x: number; y: number };
type Box = { x: number; y: number; width: number; height: number; radius: number };
type Sign = { centreX: number; centreY: number; size: number };

/** The places of a card's parts at full detail, world px from the card's top left corner; text by its baseline. */
export type FullCardLayout = {
  size: Size;
  tile: Box;
  icon: Sign;
  title: PlacedText;
  /** Model and description. */
  model: PlacedText | null;
  description: readonly PlacedText[];
  state: Sign | null;
  foot: { rule: Box; word: PlacedText; mark: { box: Box; text: PlacedText } | null; figures: PlacedText } | null;
  ports: { in: { x: number; y: number }; out: { x: number; y: number }; size: number; line: number };
};

export const fullCard = { radius: 10, band: 4, foot: 40 } as const;

const padding = 16;
const tile: Box = { x: padding, y: 18, width: 36, height: 36, radius: 8 };
const icon: Sign = { centreX: tile.x + tile.width / 2, centreY: tile.y + tile.height / 2, size: 19 };
const titleLeft = tile.x + tile.width + 12;
/** The space at the right end of a dialog's head, reserved for the settings button. */
const settingsRoom = 48;
const lineHeight = 18;
const descriptionRows = 2;
const signSize = 16;
/** The space that a mark leaves for its own edges and for the time. */
const figuresRoom = 44;

/** Lays out a card at full detail, for the canvas and for pictures of it. */
export function fullCardLayout(node: CanvasNode, content: CardContent, text: TextLayout): FullCardLayout {
  const size = nodeSize(node);
  const { width, height } = size;
  const { card } = canvasKinds[node.type];
  const isWork = card === 'work';
  const room = width - titleLeft - (card === 'form' ? settingsRoom : padding);
  return {
    size,
    tile,
    icon,
    title: { style: 'title', line: text.line('title', content.title, room), x: titleLeft, y: card === 'row' ? 42 : 34 },
    model: isWork ? { style: 'model', line: text.line('model', content.model, room), x: titleLeft, y: 51 } : null,
    description: isWork ? description(content, width, text) : [],
    state: stateSign(content, size, card),
    foot: isWork ? foot(content, size, text) : null,
    ports: { in: { x: 0, y: height / 2 }, out: { x: width, y: height / 2 }, size: 12, line: 2 },
  };
}

function description(content: CardContent, width: number, text: TextLayout): PlacedText[] {
  const lines = text.lines('line', content.line, width - 2 * padding, descriptionRows);
  return lines.map((line, row) => ({ style: 'line', line, x: padding, y: 82 + row * lineHeight }));
}

function stateSign(content: CardContent, { width, height }: Size, card: CardShape): Sign | null {
  if (card === 'work' && content.hasState) return { centreX: padding + signSize / 2, centreY: height - fullCard.foot + 21, size: signSize };
  if (card === 'row' && content.state !== 'idle')
    return { centreX: width - padding - signSize / 2, centreY: height / 2 + 2, size: signSize };
  return null;
}

/** The state's word, the mark of a simulated answer, and the figures, under a rule. */
function foot(content: CardContent, { width, height }: Size, text: TextLayout): NonNullable<FullCardLayout['foot']> {
  const top = height - fullCard.foot;
  const baseline = top + 25;
  const word: PlacedText = {
    style: 'state',
    line: text.line('state', content.word),
    x: padding + (content.hasState ? signSize + 8 : 0),
    y: baseline,
  };
  let left = word.x + word.line.width + 8;
  const right = width - padding;
  const room = Math.max(0, right - left - figuresRoom);
  const mark = content.mark === '' ? null : footMark(text.line('mark', content.mark, room), left, top);
  if (mark) left += mark.box.width + 8;
  const figures = text.line('figure', content.figures, Math.max(0, right - left));
  return {
    rule: { x: padding, y: top, width: right - padding, height: 1, radius: 0 },
    word,
    mark,
    figures: { style: 'figure', line: figures, x: right - figures.width, y: baseline },
  };
}

function footMark(line: TextLine, left: number, top: number): { box: Box; text: PlacedText } {
  return {
    box: { x: left, y: top + 12, width: Math.round(line.width) + 12, height: 18, radius: 9 },
    text: { style: 'mark', line, x: left + 6, y: top + 24.5 },
  };
}
