type Component = { members: number[]; edges: [number, number][] };

/** Returns the connected components of a graph, ordered by their first member, members in ascending order. */
export function components(count: number, edges: readonly [number, number][]): Component[] {
  const parent = Array.from({ length: count }, (_, at) => at);
  const root = (of: number): number => {
    let at = of;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at] as number] as number;
      at = parent[at] as number;
    }
    return at;
  };
  for (const [a, b] of edges) {
    const [low, high] = [root(a), root(b)].sort((p, q) => p - q) as [number, number];
    parent[high] = low;
  }
  const found = new Map<number, Component>();
  for (let at = 0; at < count; at++) {
    const key = root(at);
    const component = found.get(key);
    if (component) component.members.push(at);
    else found.set(key, { members: [at], edges: [] });
  }
  for (const edge of edges) found.get(root(edge[0]))?.edges.push(edge);
  return [...found.values()];
}
