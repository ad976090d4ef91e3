import { expect, test } from 'vitest';
import type { Agent } from '../../../contract/agent.ts';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { teamOf } from '../../../src/model/run/starters/run-starters.ts';
import { startersOf } from '../../../src/model/run/starters/starters-of.ts';
import { agentNode, dialogNode, documentOf, link, team } from '../../support/engine/samples.ts';

const at = (index: number) => team[index] as Agent;
const start = (id: string): CanvasNode => ({ id, type: 'start', title: id, x: 0, y: 0 });
const idsOf = (...places: number[]) => places.map((place) => at(place).id).toSorted();

const document = documentOf(
  [
    dialogNode('d', 0, 0),
    agentNode('a', at(0), 300, 0),
    agentNode('person', at(1), 600, 0, { isUser: true, step: { person: { question: 'Which?', inputs: [] } } }),
    agentNode('b', at(2), 900, 0),
    start('begin'),
    agentNode('c', at(3), 300, 400),
  ],
  [link('d', 'a'), link('a', 'person'), link('person', 'b'), link('begin', 'c')],
);
const teamWith = (asked: Parameters<typeof startersOf>[1]) => teamOf(document, team, startersOf(document, asked));

test('G4.10 the team of a start is the agents that it would run: those behind its dialog or start card, without people', () => {
  expect(teamWith({ dialogNodeId: 'd' })).toEqual(idsOf(0, 2));
  expect(teamWith({})).toEqual(idsOf(0, 2));
  expect(teamWith({ startNodeId: 'begin' })).toEqual(idsOf(3));
  expect(startersOf(document, { dialogNodeId: 'gone' })).toEqual({ dialog: null, starts: [] });
});

test('G4.10 without a dialog the team is what all start cards lead to, and all agents without a start card; none on a broken canvas', () => {
  const { d: _dialog, ...nodes } = document.nodes;
  const without = {
    nodes,
    connections: Object.fromEntries(Object.entries(document.connections).filter(([, { from }]) => from.agentId !== 'd')),
  };
  expect(teamOf(without, team, startersOf(without, {}))).toEqual(idsOf(3));
  const { begin: _start, ...others } = nodes;
  const bare = { nodes: others, connections: {} };
  expect(teamOf(bare, team, startersOf(bare, {}))).toEqual(idsOf(0, 2, 3));
  expect(teamOf({ nodes: {}, connections: {} }, team, { dialog: null, starts: [] })).toEqual([]);
});
