import type { CanvasDocument, Connection } from '../../contract/canvas.ts';
import * as byPattern from './by-pattern.ts';
import * as byPort from './by-port.ts';
import { alternatives, branches, forEach, person, review } from './by-sidebar.ts';
import type { DrawingPage } from './drawing-page.ts';
import type { Hand } from './hand.ts';

export type Draw = (canvas: DrawingPage, hand: Hand) => Promise<void>;

/** Ways to draw a job: cards from the sidebar and links from port to port; cards that are chosen where a link ends; a ready pattern. */
export const ways = ['sidebar', 'port', 'pattern'] as const;
export type Way = (typeof ways)[number];

export type Job = {
  name: string;
  draw: Record<Way, Draw>;
  /** Whether the canvas has what the job asks for, behind the developer. */
  isDone: (document: CanvasDocument) => boolean;
  /** Branches run together, by the project's setting. */
  runsTogether?: true;
};

export const jobs: readonly Job[] = [
  {
    name: 'two branches and a join',
    draw: { sidebar: branches, port: byPort.branches, pattern: byPattern.branches },
    isDone: (document) => {
      const next = linksFrom(document, 'developer').map(({ to }) => to.agentId);
      const joined = next.map((id) => linksFrom(document, id).map(({ to }) => to.agentId));
      return next.length > 1 && (joined[0] ?? []).some((id) => joined.every((ids) => ids.includes(id)));
    },
    runsTogether: true,
  },
  {
    name: 'choice',
    draw: { sidebar: alternatives, port: byPort.alternatives, pattern: byPattern.alone('choice') },
    isDone: ({ connections, nodes }) =>
      Object.keys(nodes).some((id) => new Set(linksFrom({ connections, nodes }, id).flatMap(({ run }) => run?.label ?? [])).size > 1),
  },
  {
    name: 'review loop',
    draw: { sidebar: review, port: byPort.review, pattern: byPattern.alone('review') },
    isDone: (document) =>
      loopsOf(document).some(({ from, run }) => run?.label && linksFrom(document, from.agentId).some((link) => isAlternative(link))),
  },
  {
    name: 'ask a person',
    draw: { sidebar: person, port: byPort.person, pattern: byPattern.personWithNext },
    isDone: (document) => {
      const [asking] = Object.values(document.nodes).filter(({ step }) => step?.person);
      const out = asking ? linksFrom(document, asking.id) : [];
      return out.some(({ run }) => run?.maxRounds && run.label) && out.some((link) => isAlternative(link));
    },
  },
  {
    name: 'for each',
    draw: { sidebar: forEach, port: byPort.forEach, pattern: byPattern.alone('forEach') },
    isDone: (document) => Object.values(document.nodes).some(({ forEach: list }) => list) && linksFrom(document, 'developer').length > 0,
  },
];

function linksFrom({ connections }: CanvasDocument, id: string): Connection[] {
  return Object.values(connections).filter(({ from }) => from.agentId === id);
}

function loopsOf({ connections }: CanvasDocument): Connection[] {
  return Object.values(connections).filter(({ run }) => run?.maxRounds !== undefined);
}

function isAlternative({ run }: Connection): boolean {
  return run?.label !== undefined && run.maxRounds === undefined;
}
