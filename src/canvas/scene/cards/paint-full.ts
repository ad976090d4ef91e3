import { mix } from '../gpu/colour.ts';
import { footMarkColours, isFaint } from './card-colours.ts';
import type { Card, CardPainter, CardPen } from './card-pen.ts';
import { type FullCardLayout, fullCard, fullCardLayout } from './full-card-layout.ts';

/** Draws all parts: band, pictogram, title, model, two lines of text, foot with the state and its figures, ports. */
export const paintFull: CardPainter = (pen, card, { ports }) => {
  const { node, content } = card;
  const { writer, palette } = pen;
  const layout = fullCardLayout(node, content, pen.layout);
  writer.alpha = 1;
  writer.anchor(node.x, node.y);
  pen.body(card, fullCard.band);
  writer.alpha = isFaint(content) ? 0.5 : 1;
  paintHead(pen, card, layout);
  for (const line of layout.description) pen.placed(line, palette.muted);
  if (layout.foot) writer.alpha = 1;
  if (layout.foot) paintFoot(pen, card, layout.foot);
  if (layout.state) pen.state(content.state, layout.state.centreX, layout.state.centreY, layout.state.size, pen.stateColour(content));
  writer.alpha = 1;
  if (!ports) return;
  const { in: input, out: output, size, line } = layout.ports;
  pen.port(input.x, input.y, size, line, 'world', card.inUsed);
  pen.port(output.x, output.y, size, line, 'world', card.outUsed);
};

function paintHead(pen: CardPen, { content }: Card, { tile, icon, title, model }: FullCardLayout): void {
  const { palette } = pen;
  const hue = pen.hue(content);
  pen.writer.shape({ ...tile, fill: mix(palette.raised, hue, palette.tileShare) });
  pen.icon(content.icon, icon.centreX, icon.centreY, icon.size, hue);
  pen.placed(title, content.state === 'waiting' ? mix(palette.text, palette.raised, 0.22) : palette.text);
  if (model) pen.placed(model, palette.muted);
}

function paintFoot(pen: CardPen, { content }: Card, { rule, word, mark, figures }: NonNullable<FullCardLayout['foot']>): void {
  const { palette, writer } = pen;
  writer.shape({ ...rule, fill: palette.line });
  writer.alpha = content.isDisabled ? 0.5 : 1;
  pen.placed(word, pen.stateColour(content));
  if (mark) {
    const { line, text } = footMarkColours(content, palette);
    writer.shape({ ...mark.box, border: 1, stroke: line, strokeAlpha: 0.55, fill: palette.raised });
    pen.placed(mark.text, text);
  }
  pen.placed(figures, palette.muted);
}
