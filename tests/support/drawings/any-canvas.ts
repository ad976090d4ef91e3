import fc from 'fast-check';
import type { CanvasDocument, CanvasNode, Connection } from '../../../contract/canvas.ts';
import type { LinkSettings } from '../../../contract/executions/run-graph.ts';
import { agentNode, agentOf, dialogNode, documentOf, link } from '../engine/samples.ts';

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const kinds = ['agent', 'agent', 'agent', 'agent', 'person', 'shown', 'disabled', 'nameless', 'dialog', 'start'] as const;

const settings: fc.Arbitrary<LinkSettings | undefined> = fc.oneof(
  { weight: 5, arbitrary: fc.constant(undefined) },
  fc.constantFrom<LinkSettings>({ label: 'yes' }, { label: 'no' }, { onFailure: true }, { hold: 'always' }),
  fc.constantFrom<LinkSettings>({ maxRounds: 2 }, { maxRounds: 2, label: 'again' }),
);

/** Cards of all kinds, with links of all kinds between any of them. Most of them cannot run as a whole. */
export const anyCanvas: fc.Arbitrary<CanvasDocument> = fc
  .record({
    cards: fc.array(fc.tuple(fc.constantFrom(...kinds), fc.nat(3), fc.nat(3), fc.boolean()), { minLength: 2, maxLength: ids.length }),
    links: fc.array(fc.tuple(fc.nat(7), fc.nat(7), settings), { maxLength: 14 }),
    hasList: fc.boolean(),
  })
  .map(({ cards, links, hasList }) => {
    const nodes = cards.map(([kind, column, row, firstWins], at) => nodeOf(ids[at] as string, kind, { column, row }, firstWins));
    if (hasList)
      nodes.push({ id: 'list', type: 'group', title: 'list', x: 350, y: -50, width: 400, height: 1_200, forEach: { onFailure: 'skip' } });
    const drawn = links.flatMap(([from, to, run]): Connection[] => {
      const ends = [ids[from % cards.length], ids[to % cards.length]] as [string, string];
      return ends[0] === ends[1] ? [] : [{ ...link(...ends), ...(run && { run }) }];
    });
    return documentOf(nodes, [...new Map(drawn.map((one) => [one.id, one])).values()]);
  });

function nodeOf(
  id: string,
  kind: (typeof kinds)[number],
  { column, row }: { column: number; row: number },
  firstWins: boolean,
): CanvasNode {
  const [x, y] = [column * 400, row * 300];
  const user: CanvasNode = { id, type: 'agent', isUser: true, title: id, role: 'user', serverAgentId: id, x, y };
  const agent = agentNode(id, agentOf(ids.indexOf(id) + 1, id, 'Developer'), x, y);
  switch (kind) {
    case 'agent':
      return firstWins ? { ...agent, step: { firstWins: true } } : agent;
    case 'person':
      return { ...user, step: { person: { question: 'Ready?', inputs: [] } } };
    case 'shown':
      return user;
    case 'disabled':
      return { ...agent, disabled: true };
    case 'nameless': {
      const { name: _name, ...nameless } = agent;
      return { ...nameless, title: '' };
    }
    case 'dialog':
      return dialogNode(id, x, y);
    case 'start':
      return { id, type: 'start', title: id, x, y };
  }
}
