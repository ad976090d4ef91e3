import type { CanvasNode } from '../../../../contract/canvas.ts';
import { isGroup } from '../../../../rules/card.ts';
import { nodeSize } from '../../../model/document/node-size.ts';
import type { DifferenceKind } from '../../../model/versions/comparison.ts';
import type { Palette } from '../../../ui/palette.ts';
import type { DetailLevel } from '../../geometry/level-of-detail.ts';
import { groupRadius } from './annotation-layout.ts';
import type { CardPen } from './card-pen.ts';
import type { StateGlyph } from './state-glyphs.ts';

const radius = { block: 20, other: 10 } as const;
/** CSS px of the round badge at a card's corner, and of the sign in it. */
const badge = { size: 20, sign: 12 } as const;
/** The largest sign on a block, world px. */
const blockSign = 84;

const signs: Record<DifferenceKind, StateGlyph> = { added: 'plus', removed: 'minus', changed: 'pencil', moved: 'arrows' };

/** Marks a card, note or group that differs: an edge and a tint in the colour of its kind, and its sign. The ghost of a removed one has its own edge. */
export function paintDifference(
  pen: CardPen,
  node: CanvasNode,
  kind: DifferenceKind,
  { level, isFocused }: { level: DetailLevel; isFocused: boolean },
): void {
  const { palette, writer } = pen;
  const size = nodeSize(node);
  const colour = differenceColour(kind, palette);
  const shape = { x: 0, y: 0, ...size, radius: differenceRadius(node, level) };
  writer.alpha = 1;
  writer.anchor(node.x, node.y);
  if (isFocused) writer.shape({ ...shape, motion: 'outline', bandTop: 9, bandLeft: 8, stroke: colour, strokeAlpha: 0.32 });
  if (kind !== 'removed') {
    if (!isGroup(node)) writer.shape({ ...shape, fill: colour, fillAlpha: level === 'block' ? 1 : 0.07 });
    writer.shape({ ...shape, motion: 'outline', bandTop: 2.5, bandLeft: 2.25, stroke: colour });
  }
  if (level === 'block' && !isGroup(node)) {
    const across = Math.min(blockSign, size.height * 0.8);
    pen.worldSign(signs[kind], (size.width - across) / 2, (size.height - across) / 2, across, kind === 'removed' ? colour : palette.canvas);
    return;
  }
  writer.anchor(node.x + size.width, node.y);
  const corner = -badge.size / 2;
  const circle = { x: corner, y: corner, width: badge.size, height: badge.size, radius: -corner };
  writer.shape({ ...circle, unit: 'screen', border: 2, stroke: palette.canvas, fill: colour });
  pen.screenSign(signs[kind], -badge.sign / 2, -badge.sign / 2, badge.sign, palette.raised);
}

export function differenceColour(kind: DifferenceKind, palette: Palette): number {
  switch (kind) {
    case 'added':
      return palette.success;
    case 'removed':
      return palette.danger;
    case 'changed':
      return palette.warning;
    case 'moved':
      return palette.accent;
  }
}

/** The corner radius of a mark (world px). */
export function differenceRadius(node: CanvasNode, level: DetailLevel): number {
  if (isGroup(node)) return groupRadius;
  return level === 'block' ? radius.block : radius.other;
}
