import { type LayoutBox, layoutGap } from './layout-box.ts';

/** Members with their places in the block (world px), and the block's size. */
export type Block = { places: Map<number, { x: number; y: number }>; width: number; height: number };

/** The number of sweeps that align nodes with their neighbours. */
const sweeps = 10;

/** Places columns side by side, and aligns each node with its neighbours as far as the other nodes of its column allow. */
export function placeLayers(
  layers: readonly (readonly number[])[],
  forward: readonly [number, number][],
  boxes: readonly LayoutBox[],
): Block {
  const box = (at: number) => boxes[at] as LayoutBox;
  const above = (at: number) => box(at).level ?? box(at).height / 2;
  const before = Map.groupBy(forward, ([, to]) => to);
  const after = Map.groupBy(forward, ([from]) => from);
  /** The height at which the links of each member connect. These heights are aligned. */
  const middle = new Map<number, number>();
  for (const layer of layers) {
    let top = 0;
    for (const at of layer) {
      middle.set(at, top + above(at));
      top += box(at).height + layoutGap.row;
    }
  }
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const isOnward = sweep % 2 === 0;
    for (const layer of isOnward ? layers : layers.toReversed()) {
      const wanted = layer.map((at) => {
        const near = isOnward ? before.get(at)?.map(([from]) => from) : after.get(at)?.map(([, to]) => to);
        return near ? near.reduce((sum, other) => sum + (middle.get(other) as number), 0) / near.length : (middle.get(at) as number);
      });
      const reaches = layer.map((at) => ({ above: above(at), below: box(at).height - above(at) }));
      for (const [row, y] of spread(wanted, reaches).entries()) middle.set(layer[row] as number, y);
    }
  }

  const places = new Map<number, { x: number; y: number }>();
  const highest = Math.min(...layers.map((layer) => (middle.get(layer[0] as number) as number) - above(layer[0] as number)));
  let x = 0;
  let height = 0;
  for (const layer of layers) {
    let widest = 0;
    for (const at of layer) {
      const y = (middle.get(at) as number) - above(at) - highest;
      places.set(at, { x, y });
      widest = Math.max(widest, box(at).width);
      height = Math.max(height, y + box(at).height);
    }
    x += widest + layoutGap.column;
  }
  return { places, width: x - layoutGap.column, height };
}

/** Returns the positions nearest to the wanted ones that keep the order and the distances of a column. */
function spread(wanted: readonly number[], reaches: readonly { above: number; below: number }[]): number[] {
  // Relative to the positions of a compact column, only the order is left to keep.
  const offsets: number[] = [];
  for (const { above } of reaches) {
    const last = offsets.length - 1;
    offsets.push(last < 0 ? 0 : (offsets[last] as number) + (reaches[last]?.below ?? 0) + layoutGap.row + above);
  }
  const runs: { sum: number; count: number }[] = [];
  wanted.forEach((y, row) => {
    let run = { sum: y - (offsets[row] as number), count: 1 };
    let last = runs[runs.length - 1];
    while (last && last.sum / last.count > run.sum / run.count) {
      run = { sum: last.sum + run.sum, count: last.count + run.count };
      runs.pop();
      last = runs[runs.length - 1];
    }
    runs.push(run);
  });
  const found: number[] = [];
  for (const { sum, count } of runs) for (let i = 0; i < count; i++) found.push(sum / count + (offsets[found.length] as number));
  return found;
}
