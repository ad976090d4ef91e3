import type { Block } from './place-layers.ts';

/** World px between parts that do not hang together. */
const gap = 120;
/** How much wider than high the whole becomes, near a window's shape. */
const shape = 1.6;

/** Puts blocks in rows, left to right and top to bottom, in the order in which they come. */
export function packBlocks(blocks: readonly Block[]): { block: Block; x: number; y: number }[] {
  const area = blocks.reduce((sum, { width, height }) => sum + (width + gap) * (height + gap), 0);
  const widest = blocks.reduce((most, { width }) => Math.max(most, width), 0);
  const wrapAt = Math.max(widest, Math.sqrt(area * shape));
  let x = 0;
  let y = 0;
  let rowHeight = 0;
  return blocks.map((block) => {
    if (x > 0 && x + block.width > wrapAt) {
      x = 0;
      y += rowHeight + gap;
      rowHeight = 0;
    }
    const placed = { block, x, y };
    x += block.width + gap;
    rowHeight = Math.max(rowHeight, block.height);
    return placed;
  });
}
