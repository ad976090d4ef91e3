import type { Block } from './place-layers.ts';

/** World px between separate components. */
const gap = 120;
/** The ratio of width to height of the whole, close to a window's. */
const shape = 1.6;

/** Packs blocks into rows, left to right and top to bottom, in their order. */
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
