import type { CanvasNode } from '../../../contract/canvas.ts';

/** A graph in the benchmark's format. A card is 280 x 156, `role` is 0 to 7 and `status` 0 to 3. */
export type BenchGraph = {
  nodes: readonly BenchNode[];
  links: readonly { id: string; source: string; target: string }[];
};

export type BenchNode = {
  id: string;
  x: number;
  y: number;
  role: number;
  status: number;
  title: string;
  desc: string;
  /** An agent by default. */
  kind?: CanvasNode['type'];
};

/** The distance between cards (world px), with space for links between columns and for back links between rows. */
const pitch = { x: 350, y: 240 } as const;
/** The ratio of columns to rows, close to a window's shape. */
const columnsPerRow = 1.1;
const titles = ['Планировщик', 'Analyst', 'Разработчик', 'Reviewer', 'Архитектор', 'Build engineer', 'Серверная часть', 'Assistant'];
const descriptions = [
  'Разбирает задачу на шаги и расставляет порядок',
  'Reads the request and lists what is still unknown',
  'Пишет код и объясняет, что изменилось',
  'Checks every claim against the sources',
  'Проектирует решение и договаривается о границах',
  'Builds, packs and ships what the others wrote',
  'API, база данных, миграции и тесты',
  'Answers questions and keeps the thread together',
];
/** Every card at this interval is also linked to the card below it. */
const branchInterval = 7;

/**
 * Returns a graph of `n` cards in rows, the first of them a dialog. Each card is linked to the next one, also from the end of a row to
 * the start of the row below. The result depends on `n` only.
 */
export function benchGraph(n: number): BenchGraph {
  const columns = Math.max(1, Math.ceil(Math.sqrt(n * columnsPerRow)));
  const nodes = Array.from({ length: n }, (_, i) => (i === 0 ? dialogCard : agentCard(i, columns)));
  const links: { id: string; source: string; target: string }[] = [];
  const link = (from: number, to: number) => links.push({ id: `e${links.length}`, source: `n${from}`, target: `n${to}` });
  for (let i = 0; i + 1 < n; i++) {
    link(i, i + 1);
    if (i % branchInterval === 0 && i + columns < n && columns > 1) link(i, i + columns);
  }
  return { nodes, links };
}

/** 80 px higher than an agent's card, and placed 40 px further up, so that the ports are level. */
const dialogCard: BenchNode = { id: 'n0', kind: 'dialog', x: 0, y: -40, role: 0, status: 0, title: 'Диалог', desc: 'Задача → пул-реквест' };

function agentCard(i: number, columns: number): BenchNode {
  return {
    id: `n${i}`,
    x: (i % columns) * pitch.x,
    y: Math.floor(i / columns) * pitch.y,
    role: i % titles.length,
    status: statusOf(i),
    title: `${titles[i % titles.length]} ${i + 1}`,
    desc: descriptions[(i * 3) % descriptions.length] as string,
  };
}

/** Most cards are completed or free; few are running or have failed. */
function statusOf(i: number): number {
  if (i % 11 === 5) return 1;
  if (i % 17 === 9) return 3;
  return i % 3 === 0 ? 2 : 0;
}
