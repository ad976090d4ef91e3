/** Members by column, and the edges directed so that each leads from a column to a later one. */
type Layers = { layers: number[][]; forward: [number, number][] };

/** Assigns each member to the column after its last predecessor. Edges that close a cycle are reversed. */
export function assignLayers(members: readonly number[], edges: readonly [number, number][]): Layers {
  const forward = withoutCycles(members, edges);
  const next = Map.groupBy(forward, ([from]) => from);
  const waitsFor = new Map(members.map((at) => [at, 0]));
  for (const [, to] of forward) waitsFor.set(to, (waitsFor.get(to) ?? 0) + 1);
  const column = new Map<number, number>();
  const ready = members.filter((at) => waitsFor.get(at) === 0);
  // The list grows during the iteration.
  for (const at of ready) {
    const own = column.get(at) ?? 0;
    column.set(at, own);
    for (const [, to] of next.get(at) ?? []) {
      column.set(to, Math.max(column.get(to) ?? 0, own + 1));
      const left = (waitsFor.get(to) as number) - 1;
      waitsFor.set(to, left);
      if (left === 0) ready.push(to);
    }
  }
  // A member without predecessors moves next to its first successor.
  const led = new Set(forward.map(([, to]) => to));
  for (const at of members) {
    const targets = next.get(at);
    if (!led.has(at) && targets) column.set(at, Math.min(...targets.map(([, to]) => column.get(to) as number)) - 1);
  }
  const layers: number[][] = [];
  for (const at of members) {
    const own = column.get(at) as number;
    while (layers.length <= own) layers.push([]);
    layers[own]?.push(at);
  }
  return { layers: layers.filter((layer) => layer.length > 0), forward };
}

/** Follows the edges, first from members without predecessors, and reverses each edge that leads back to the current path. */
function withoutCycles(members: readonly number[], edges: readonly [number, number][]): [number, number][] {
  const next = Map.groupBy(edges, ([from]) => from);
  const led = new Set(edges.map(([, to]) => to));
  const state = new Map<number, 'onTheWay' | 'done'>();
  const forward = new Map<string, [number, number]>();
  const starts = [...members.filter((at) => !led.has(at)), ...members];
  for (const start of starts) {
    if (state.has(start)) continue;
    state.set(start, 'onTheWay');
    const way = [{ at: start, seen: 0 }];
    while (way.length > 0) {
      const step = way[way.length - 1] as { at: number; seen: number };
      const edge = next.get(step.at)?.[step.seen++];
      if (!edge) {
        state.set(step.at, 'done');
        way.pop();
        continue;
      }
      const [from, to] = edge;
      const turned = state.get(to) === 'onTheWay';
      forward.set(turned ? `${to} ${from}` : `${from} ${to}`, turned ? [to, from] : [from, to]);
      if (state.has(to)) continue;
      state.set(to, 'onTheWay');
      way.push({ at: to, seen: 0 });
    }
  }
  return [...forward.values()];
}
