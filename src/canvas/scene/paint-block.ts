import { nodeSize } from '../../model/node-size.ts';
import { type CardPainter, isFaint } from './card-pen.ts';
import { mix } from './colour.ts';

const signSize = 84;
const radius = 20;

/** From afar a card is a block in its role's colour; how its work ended is cut out of it. */
export const paintBlock: CardPainter = (pen, { node, content }) => {
  const { palette, writer } = pen;
  const size = nodeSize(node);
  const { width, height } = size;
  const failed = content.state === 'failed';
  const share = failed || content.state === 'active' ? 1 : content.state === 'waiting' || isFaint(content) ? 0.3 : 0.72;
  writer.alpha = 1;
  writer.anchor(node.x, node.y);
  if (content.state === 'active') {
    const hue = pen.hue(content);
    pen.glow(size, radius, hue, 2);
    pen.outline(size, radius, { world: 3, screen: 3.5 }, hue);
    pen.outline(size, radius, { world: 1.5, screen: 1.75 }, palette.canvas);
  }
  writer.shape({ x: 0, y: 0, width, height, radius, fill: mix(palette.canvas, failed ? palette.danger : pen.hue(content), share) });
  if (failed || content.state === 'done') {
    const across = Math.min(signSize, height * 0.8);
    pen.worldSign(failed ? 'cross' : 'check', (width - across) / 2, (height - across) / 2, across, palette.canvas);
  }
};
