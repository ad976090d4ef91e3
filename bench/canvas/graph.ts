/** Size of a card, in world pixels, the same for every measured system. */
export const cardWidth = 280;
export const cardHeight = 156;

const pitchX = 420;
const pitchY = 216;
const roleCount = 8;
const statusCount = 4;

export type GraphNode = { id: string; i: number; x: number; y: number; role: number; status: number; title: string; desc: string };
/** `s` and `t` are node numbers; `source` and `target` the ids of the same nodes. */
type GraphLink = { id: string; s: number; t: number; source: string; target: string };
export type Graph = { n: number; nodes: GraphNode[]; links: GraphLink[]; hub: number; width: number; height: number };

const subjects = ['Планировщик', 'Search', 'Кодогенератор', 'Review', 'Оценка', 'Tool call', 'Память', 'Router', 'Summarise', 'Проверка'];
const objects = ['задач', 'agent', 'модуля', 'pipeline', 'ответа', 'stage', 'контекста', 'step', 'plan', 'данных'];
const sentences = [
  'Reads the incoming brief and splits it',
  'Собирает контекст из источников',
  'into independent sub-tasks for workers',
  'и передаёт результат дальше',
  'checks every claim against the sources',
  'вызывает внешние инструменты',
  'merges partial answers into a report',
  'повторяет шаг при ошибке',
];

/**
 * Returns a layered graph of n nodes and about 1.3 n links, the same for the same n. It has columns of cards, each linked to one or two
 * columns before it, and a hub in the middle with up to 40 links.
 */
export function generateGraph(n: number): Graph {
  const random = mulberry32(7);
  const columns = Math.max(2, Math.round(Math.sqrt(n * 0.914)));
  const rows = Math.ceil(n / columns);
  const pick = <T>(list: T[]): T => list[Math.floor(random() * list.length)] as T;

  const nodes = Array.from({ length: n }, (_, i): GraphNode => {
    const role = Math.floor(random() * roleCount);
    const status = Math.floor(random() * statusCount);
    const y = (i % rows) * pitchY + Math.round((random() - 0.5) * 30);
    const desc = random() < 0.6 ? `${pick(sentences)}\n${pick(sentences)}` : pick(sentences);
    return { id: `n${i}`, i, x: Math.floor(i / rows) * pitchX, y, role, status, title: `${pick(subjects)} ${pick(objects)} ${i}`, desc };
  });

  const links: GraphLink[] = [];
  const pairs = new Set<string>();
  const at = (column: number, row: number) => {
    const i = column * rows + row;
    return column >= 0 && row >= 0 && row < rows && i < n ? i : null;
  };
  const link = (s: number | null, t: number | null) => {
    if (s === null || t === null || s === t || pairs.has(`${s}-${t}`)) return;
    pairs.add(`${s}-${t}`);
    links.push({ id: `e${links.length}`, s, t, source: `n${s}`, target: `n${t}` });
  };
  const near = (row: number, reach: number) => Math.min(rows - 1, Math.max(0, row + Math.round((random() * 2 - 1) * reach)));
  for (let i = rows; i < n; i++) {
    const column = Math.floor(i / rows);
    link(at(column - 1, near(i % rows, 2)), i);
    if (random() < 0.32) link(at(column - 1 - Math.floor(random() * 2), near(i % rows, 4)), i);
  }
  const hubColumn = Math.floor(columns / 2);
  const hubRow = Math.floor(rows / 2);
  const hub = hubColumn * rows + hubRow;
  const reach = Math.min(20, hubRow);
  for (let row = hubRow - reach; row < hubRow + reach; row++) link(hub, at(hubColumn + 1, row));

  return { n, nodes, links, hub, width: (columns - 1) * pitchX + cardWidth, height: (rows - 1) * pitchY + cardHeight };
}

/** Returns the numbers of the `count` nodes nearest to the hub, the hub first. */
export function nearestToHub({ nodes, hub }: Graph, count: number): number[] {
  const centre = nodes[hub] as GraphNode;
  const distance = (node: GraphNode) => Math.hypot(node.x - centre.x, node.y - centre.y);
  return nodes
    .toSorted((a, b) => distance(a) - distance(b))
    .slice(0, count)
    .map(({ i }) => i);
}

/** A small generator of numbers in [0, 1), the same for the same seed. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
