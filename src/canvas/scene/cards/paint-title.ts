import { nodeSize } from '../../../model/document/node-size.ts';
import { levelFloors } from '../../geometry/level-of-detail.ts';
import { mix } from '../gpu/colour.ts';
import { isFaint } from './card-colours.ts';
import type { CardPainter } from './card-pen.ts';

const edgeWidth = 3;
const left = 8;
const right = 4;
/** In the middle of the zooms of this level. */
const brokenAt = 0.26;
const lineHeight = 12;

/** The role's colour, the title in two rows at most, and the state as a badge on the corner; text in CSS px. */
export const paintTitle: CardPainter = (pen, { node, content }, { fitZoom }) => {
  const { palette, writer } = pen;
  const { width, height } = nodeSize(node);
  const hue = pen.hue(content);
  const isActive = content.state === 'active';
  writer.alpha = 1;
  writer.anchor(node.x, node.y);
  if (isActive) pen.glow({ width, height }, 12, hue);
  writer.shape({
    x: 0,
    y: 0,
    width,
    height,
    radius: 12,
    fill: mix(palette.raised, content.state === 'failed' ? palette.danger : hue, isFaint(content) ? 0.08 : 0.2),
    border: (isActive ? 2 : 0.6) / fitZoom,
    stroke: isActive ? hue : mix(palette.raised, content.state === 'failed' ? palette.danger : hue, 0.55),
    bandLeft: edgeWidth / fitZoom,
    band: hue,
  });
  writer.alpha = isFaint(content) ? 0.5 : 1;
  writer.anchor(node.x, node.y + height / 2);
  const rows = height * levelFloors.title >= 2 * lineHeight ? 2 : 1;
  // The rows are broken for one zoom and cut for that which is shown: a zoom that settles moves no word to another row.
  const lines = pen.layout.lines('titleSmall', content.title, width * brokenAt - left - right, rows, width * fitZoom - left - right);
  lines.forEach((line, row) => {
    pen.text('titleSmall', line, left, 4 + (row - (lines.length - 1) / 2) * lineHeight, palette.text);
  });
  writer.alpha = 1;
  if (content.state === 'idle') return;
  writer.anchor(node.x + width, node.y);
  writer.shape({ x: -11, y: -5, width: 16, height: 16, unit: 'screen', radius: 8, fill: palette.canvas });
  pen.state(content.state, -3, 3, 13, pen.stateColour(content));
};
