import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Agent } from '../../../contract/agent.ts';
import type { CanvasNode, Connection } from '../../../contract/canvas.ts';
import { countNodes, updateNodeCounts } from '../../../src/app/workspace/frame/node-counts.ts';
import { agentMenu } from '../../../src/app/workspace/sidebar/agent-menu.ts';
import { userMenu } from '../../../src/app/workspace/sidebar/user-menu.ts';
import { agentOf } from '../../support/engine/samples.ts';

const agent = (id: string, role: string, status: Agent['status'] = 1): Agent =>
  agentOf(0, id, role, { id, title: `The ${role}`, description: '', status });

const listOf = (...agents: Agent[]) => ({
  byId: Object.fromEntries(agents.map((each) => [each.id, each])),
  order: agents.map((each) => each.id),
});

const card = (id: string, changes: Partial<CanvasNode>): Record<string, CanvasNode> => ({
  [id]: { id, type: 'agent', title: id, x: 0, y: 0, ...changes },
});

const isKnown = (agentId: string) => agentId !== 'gone';
const counted = (nodes: Record<string, CanvasNode>, connections: Record<string, Connection> = {}) =>
  countNodes({ nodes, connections }, isKnown);

test('R37.01 the menu groups the active agents of one role, in the order of the list', () => {
  const menu = agentMenu(listOf(agent('dev-1', 'Developer'), agent('qa', 'QA'), agent('dev-2', 'Developer')), new Map());
  expect(menu.map((item) => [item.role, item.freeIds])).toEqual([
    ['Developer', ['dev-1', 'dev-2']],
    ['QA', ['qa']],
  ]);
});

test('W2.11 the menu skips inactive agents and counts busy agents as active', () => {
  const menu = agentMenu(listOf(agent('off', 'QA', 0), agent('busy', 'Developer', 2)), new Map());
  expect(menu.map((item) => item.role)).toEqual(['Developer']);
  expect(menu[0]?.freeIds).toEqual(['busy']);
});

test('W4.13 a card on the canvas lowers the count, and removing it raises it again', () => {
  const agents = listOf(agent('dev-1', 'Developer'), agent('dev-2', 'Developer'));
  const placed = card('any-card', { serverAgentId: 'dev-1' });
  expect(agentMenu(agents, counted(placed).byAgent)[0]).toMatchObject({ freeIds: ['dev-2'], placedIds: ['dev-1'] });
  expect(agentMenu(agents, new Map())[0]).toMatchObject({ freeIds: ['dev-1', 'dev-2'], placedIds: [] });
});

test('W4.13 a role whose agents are all on the canvas stays in the menu with none left', () => {
  const menu = agentMenu(listOf(agent('qa', 'QA')), counted(card('card', { serverAgentId: 'qa' })).byAgent);
  expect(menu).toHaveLength(1);
  expect(menu[0]?.freeIds).toEqual([]);
});

test('R37.01 a card without a server agent takes none from the count', () => {
  expect(agentMenu(listOf(agent('qa', 'QA')), counted(card('stray', { title: 'The QA' })).byAgent)[0]?.freeIds).toEqual(['qa']);
});

test('W2.11 there is one of each user, and none once the card is placed', () => {
  expect(userMenu(new Map(), []).map((item) => [item.key, item.count])).toEqual([
    ['tester', 1],
    ['developer', 1],
    ['project-manager', 1],
    ['assistant', 1],
  ]);
  const placed = userMenu(counted(card('card', { isUser: true, name: 'developer' })).byPerson, []);
  expect(placed.find((item) => item.key === 'developer')?.count).toBe(0);
  expect(placed.find((item) => item.key === 'tester')?.count).toBe(1);
});

test('W4.13 the incremental counts of the cards equal a full count, and a move changes nothing', () => {
  const id = fc.integer({ min: 0, max: 6 }).map((i) => `n${i}`);
  const nodes = fc
    .array(
      fc.record(
        {
          id,
          type: fc.constantFrom('agent' as const, 'dialog' as const, 'start' as const),
          serverAgentId: fc.constantFrom('dev', 'qa', 'gone'),
          isUser: fc.boolean(),
          name: fc.constantFrom('tester', 'developer'),
        },
        { requiredKeys: ['id', 'type'] },
      ),
    )
    .map((list): Record<string, CanvasNode> => Object.fromEntries(list.map((node) => [node.id, { title: '', x: 0, y: 0, ...node }])));
  const links = fc
    .uniqueArray(id)
    .map(
      (ids): Record<string, Connection> =>
        Object.fromEntries(ids.map((id) => [id, { id, from: { agentId: 'a', port: 'out' }, to: { agentId: 'b', port: 'in' } }])),
    );
  fc.assert(
    fc.property(nodes, nodes, links, links, (before, after, linksBefore, linksAfter) => {
      const changed = <T>(...[was, is]: [Record<string, T>, Record<string, T>]) =>
        new Map([...Object.keys(was), ...Object.keys(is), 'missing'].map((id) => [id, was[id]]));
      const earlier = { nodes: changed(before, after), connections: changed(linksBefore, linksAfter) };
      const counts = counted(before, linksBefore);
      const document = { nodes: after, connections: linksAfter };
      expect(updateNodeCounts(counts, { earlier, document }, isKnown)).toEqual(counted(after, linksAfter));
      expect(counts).toEqual(counted(before, linksBefore));
      const moved = Object.fromEntries(Object.values(before).map((node) => [node.id, { ...node, x: node.x + 20 }]));
      expect(updateNodeCounts(counts, { earlier, document: { nodes: moved, connections: linksBefore } }, isKnown)).toBe(counts);
    }),
  );
});
