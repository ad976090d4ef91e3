/** The number of sweeps over all columns, forward and backward, the last one forward; more change little. */
const sweeps = 13;

/** Sorts each column in place to reduce crossings: each member moves to the mean position of its neighbours, sweep by sweep. */
export function orderLayers(layers: number[][], forward: readonly [number, number][]): void {
  const before = Map.groupBy(forward, ([, to]) => to);
  const after = Map.groupBy(forward, ([from]) => from);
  const height = new Map<number, number>();
  const measure = (layer: readonly number[]) => {
    for (const [row, at] of layer.entries()) height.set(at, (row + 0.5) / layer.length);
  };
  for (const layer of layers) measure(layer);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const isOnward = sweep % 2 === 0;
    for (const layer of isOnward ? layers : layers.toReversed()) {
      const wanted = new Map(
        layer.map((at) => {
          const near = isOnward ? before.get(at)?.map(([from]) => from) : after.get(at)?.map(([, to]) => to);
          return [at, near ? mean(near.map((other) => height.get(other) as number)) : (height.get(at) as number)];
        }),
      );
      layer.sort((a, b) => (wanted.get(a) as number) - (wanted.get(b) as number) || (height.get(a) as number) - (height.get(b) as number));
      measure(layer);
    }
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
