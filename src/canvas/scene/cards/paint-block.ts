import type { CardState } from '../../../model/card-view.ts';
import { nodeSize } from '../../../model/document/node-size.ts';
import { mix } from '../gpu/colour.ts';
import { isFaint } from './card-colours.ts';
import type { CardContent } from './card-content.ts';
import type { CardPainter } from './card-pen.ts';
import type { StateGlyph } from './state-glyphs.ts';

const signSize = 84;
const radius = 20;

const signs: Partial<Record<CardState, StateGlyph>> = {
  waiting: 'dots',
  paused: 'bars',
  done: 'check',
  failed: 'cross',
  stopped: 'square',
  skipped: 'slash',
};

/** At the smallest zooms a card is a block in its role's colour. Its state is a sign in the canvas's colour, or a grey sign on a pale block. */
export const paintBlock: CardPainter = (pen, { node, content }) => {
  const { palette, writer } = pen;
  const size = nodeSize(node);
  const { width, height } = size;
  const failed = content.state === 'failed';
  const share = shareOf(content);
  writer.alpha = 1;
  writer.anchor(node.x, node.y);
  if (content.state === 'active') {
    const hue = pen.hue(content);
    pen.glow(size, radius, hue, 2);
    pen.outline(size, radius, { world: 3, screen: 3.5 }, hue);
    pen.outline(size, radius, { world: 1.5, screen: 1.75 }, palette.canvas);
  }
  writer.shape({ x: 0, y: 0, width, height, radius, fill: mix(palette.canvas, failed ? palette.danger : pen.hue(content), share) });
  const sign = signs[content.state];
  if (!sign) return;
  const across = Math.min(signSize, height * 0.8);
  pen.worldSign(sign, (width - across) / 2, (height - across) / 2, across, share < 0.5 ? palette.muted : palette.canvas);
};

/** The share of the role's colour in the block, 0..1. Idle blocks are a little paler, and a sign needs contrast. */
function shareOf(content: CardContent): number {
  if (content.state === 'waiting' || isFaint(content)) return 0.3;
  if (content.state === 'idle') return 0.72;
  return content.state === 'active' || content.state === 'failed' ? 1 : 0.9;
}
