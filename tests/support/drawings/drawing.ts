import type { Agent } from '../../../contract/agent.ts';
import type { CanvasDocument, CanvasNode, Connection } from '../../../contract/canvas.ts';
import type { LinkSettings, ListSettings, StepSettings } from '../../../contract/executions/run-graph.ts';
import type { Cure } from '../../../src/model/run/participation/participation-state.ts';
import { agentNode, agentOf, dialogNode, documentOf, link } from '../engine/samples.ts';
import type { Block } from '../run-graph/random-run.ts';

/** A card's kind. `person` asks with two buttons, `shown` is a person's card that asks no one. */
type Kind = 'dialog' | 'agent' | 'person' | 'shown';

/** A card with its place in columns and rows. Its id is its title. */
type DrawnCard = { kind: Kind; at: readonly [column: number, row: number]; step?: StepSettings };

/** The steps of a run as they lie in each other: a step, a loop by its first step, or a list by its group. */
type DrawnBlock = string | { loop: readonly DrawnBlock[] } | { list: string; of: readonly DrawnBlock[] };

/** A run of a step: its card, the rounds of the loops around it from the outermost, and the item: `writer`, `tester r1.0`, `reader i2`. */
type RunName = string;

/** What is seen of a drawing before its run, and what its run then does with known answers. */
export type Expectation = {
  /** The cards that take part, of all cards of agents and people. */
  taking: readonly string[];
  /** Sentences on what the run leaves out, or does more than it seems to. */
  says?: readonly string[];
  /** Cards and links that are grey. */
  grey?: readonly string[];
  /** The code of the refusal, and the cards and links that show it. */
  refused?: { code: string; cards: readonly string[]; links: readonly string[] };
  blocks?: readonly DrawnBlock[];
  /** What a step or one of its runs chooses. */
  answers?: Readonly<Record<RunName, string>>;
  fails?: readonly string[];
  /** The list that a step writes. */
  items?: Readonly<Record<string, readonly string[]>>;
  /** The runs in order, one at a time, and those that a rule skips. */
  runs?: readonly RunName[];
  skips?: readonly RunName[];
};

export type Drawing = Expectation & {
  name: string;
  cards: Readonly<Record<string, DrawnCard>>;
  /** Groups that work through a list, by the cards inside. */
  lists?: Readonly<Record<string, { of: readonly string[] } & ListSettings>>;
  /** In the order in which they are drawn, with the settings that they have in the end. */
  links: readonly (readonly [from: string, to: string, run?: LinkSettings])[];
  /** Made before links that lead back became loops, or people asked: a hand draws something else today. */
  isOld?: true;
  /** The flow of the menu that draws it, on a canvas whose agents are all in use. */
  flow?: string;
  /** After one press of a cure. */
  cured?: Expectation & { by: Cure };
};

const pitch = { x: 400, y: 260 };
const card = { width: 280, height: 156 };

export function agentsOf({ cards }: Drawing): Agent[] {
  return Object.keys(cards).map((id, at) => agentOf(at + 1, id, 'Developer', { title: id }));
}

/** The canvas of a drawing. Links have the ids that a hand gives them. */
export function canvasOf(drawing: Drawing): CanvasDocument {
  return documentOf([...cardsOf(drawing), ...groupsOf(drawing)], linksOf(drawing));
}

function linksOf({ links }: Drawing): Connection[] {
  return links.map(([from, to, run]) => ({ ...link(from, to), ...(run && { run }) }));
}

export function cardsOf(drawing: Drawing): CanvasNode[] {
  const agents = agentsOf(drawing);
  return Object.entries(drawing.cards).map(([id, { kind, at, step }], index): CanvasNode => {
    const [x, y] = [at[0] * pitch.x, at[1] * pitch.y];
    if (kind === 'dialog') return dialogNode(id, x, y, { title: id });
    if (kind === 'agent') return agentNode(id, agents[index] as Agent, x, y, step && { step });
    const node: CanvasNode = { id, type: 'agent', title: id, role: 'user', isUser: true, serverAgentId: id, x, y };
    return kind === 'person' ? { ...node, step: { person: { question: '', inputs: [] } } } : node;
  });
}

function groupsOf({ cards, lists = {} }: Drawing): CanvasNode[] {
  return Object.entries(lists).map(([id, { of, onFailure }]) => {
    const places = of.map((inside) => cards[inside]?.at ?? [0, 0]);
    const [left, top] = [Math.min(...places.map(([x]) => x)) * pitch.x, Math.min(...places.map(([, y]) => y)) * pitch.y];
    const [right, bottom] = [Math.max(...places.map(([x]) => x)) * pitch.x, Math.max(...places.map(([, y]) => y)) * pitch.y];
    const size = { width: right - left + card.width + 60, height: bottom - top + card.height + 80 };
    return { id, type: 'group', title: id, x: left - 30, y: top - 50, ...size, forEach: { onFailure } };
  });
}

/** The steps, loops and lists of a run, as the reference run takes them. */
export function blocksOf(blocks: readonly DrawnBlock[]): Block[] {
  return blocks.map((block): Block => {
    if (typeof block === 'string') return { kind: 'step', id: block, blocks: [] };
    if ('list' in block) return { kind: 'list', id: block.list, blocks: blocksOf(block.of) };
    return { kind: 'loop', id: block.loop[0] as string, blocks: blocksOf(block.loop) };
  });
}
