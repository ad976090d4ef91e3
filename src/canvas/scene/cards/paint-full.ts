import { mix } from '../gpu/colour.ts';
import { type Card, type CardPainter, type CardPen, isFaint } from './card-pen.ts';

const padding = 16;
const footHeight = 40;
const lineHeight = 18;
const tileSize = 36;

/** Everything: band, pictogram, title, model, two lines of text, foot with the state and its figures, ports. */
export const paintFull: CardPainter = (pen, card, { ports }) => {
  const { node, content } = card;
  pen.writer.alpha = 1;
  pen.writer.anchor(node.x, node.y);
  const size = pen.body(card, 4);
  pen.writer.alpha = isFaint(content) ? 0.5 : 1;
  const isStart = node.type === 'start' || node.type === 'trigger';
  head(pen, card, size.width, isStart);
  if (node.type === 'agent' || node.type === 'flow') {
    description(pen, card, size.width);
    pen.writer.alpha = 1;
    foot(pen, card, size.width, size.height);
  } else if (isStart && content.state !== 'idle') {
    pen.state(content.state, size.width - padding - 8, size.height / 2 + 2, 16, pen.stateColour(content));
  }
  pen.writer.alpha = 1;
  if (ports) {
    pen.port(0, size.height / 2, 12, 2, 'world', card.inUsed);
    pen.port(size.width, size.height / 2, 12, 2, 'world', card.outUsed);
  }
};

function head(pen: CardPen, { content, node }: Card, width: number, centred: boolean): void {
  const { palette } = pen;
  const hue = pen.hue(content);
  pen.writer.shape({ x: padding, y: 18, width: tileSize, height: tileSize, radius: 8, fill: mix(palette.raised, hue, palette.tileShare) });
  pen.icon(content.icon, padding + tileSize / 2, 18 + tileSize / 2, 19, hue);
  const left = padding + tileSize + 12;
  // A dialog's head keeps its right end free for the settings button.
  const room = width - left - (node.type === 'dialog' ? 48 : padding);
  const title = pen.layout.line('title', content.title, room);
  const isWaiting = content.state === 'waiting';
  pen.text('title', title, left, centred ? 42 : 34, isWaiting ? mix(palette.text, palette.raised, 0.22) : palette.text);
  if (node.type === 'agent' || node.type === 'flow')
    pen.text('model', pen.layout.line('model', content.model, room), left, 51, palette.muted);
}

function description(pen: CardPen, { content }: Card, width: number): void {
  const lines = pen.layout.lines('line', content.line, width - 2 * padding, 2);
  lines.forEach((line, row) => {
    pen.text('line', line, padding, 82 + row * lineHeight, pen.palette.muted);
  });
}

function foot(pen: CardPen, { content }: Card, width: number, height: number): void {
  const { palette, layout } = pen;
  const colour = pen.stateColour(content);
  const top = height - footHeight;
  const baseline = top + 25;
  pen.writer.shape({ x: padding, y: top, width: width - 2 * padding, height: 1, fill: palette.line });
  pen.writer.alpha = content.isDisabled ? 0.5 : 1;
  if (content.hasState) pen.state(content.state, padding + 8, top + 21, 16, colour);
  const word = layout.line('state', content.word);
  let left = content.hasState ? padding + 24 : padding;
  pen.text('state', word, left, baseline, colour);
  left += word.width + 8;
  if (content.mark !== '') {
    const mark = layout.line('mark', content.mark);
    pen.writer.shape({
      x: left,
      y: top + 12,
      width: Math.round(mark.width) + 12,
      height: 18,
      radius: 9,
      border: 1,
      stroke: palette.controlBorder,
      strokeAlpha: 0.55,
      fill: palette.raised,
    });
    pen.text('mark', mark, left + 6, baseline - 0.5, palette.muted);
    left += Math.round(mark.width) + 20;
  }
  const figures = layout.line('figure', content.figures, Math.max(0, width - padding - left));
  pen.text('figure', figures, width - padding - figures.width, baseline, palette.muted);
}
