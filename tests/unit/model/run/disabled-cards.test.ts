import { expect, test } from 'vitest';
import type { CanvasNode, Connection } from '../../../../contract/canvas.ts';
import type { LinkSettings } from '../../../../contract/executions/run-graph.ts';
import { CheckedDocument } from '../../../../rules/checked-document.ts';
import { participationOf } from '../../../../src/model/run/participation/participation.ts';
import { planPipeline } from '../../../../src/model/run/plan/pipeline-plan.ts';
import { foreseenStarters } from '../../../../src/model/run/starters/foreseen-starters.ts';
import { resolveDialogTarget } from '../../../../src/model/run/starters/resolve-dialog-target.ts';
import { agentNode, agentOf, dialogNode, documentOf, link as plain } from '../../../support/engine/samples.ts';

const ids = ['a', 'b', 'c', 'e', 'f'];
const agents = ids.map((id, at) => agentOf(at + 1, id, 'Developer'));
const dialog = dialogNode('d', -400, 0);
const card = (id: string, more: Partial<CanvasNode> = {}): CanvasNode =>
  agentNode(id, agents[ids.indexOf(id)] as (typeof agents)[number], ids.indexOf(id) * 400, 0, more);
const off = (id: string, more: Partial<CanvasNode> = {}) => card(id, { ...more, disabled: true });
const link = (from: string, to: string, run?: LinkSettings): Connection => ({ ...plain(from, to), ...(run && { run }) });

/** The steps and links of a run of these cards, and what is shown of them before it. */
function planned(nodes: CanvasNode[], links: Connection[]) {
  const document = documentOf([dialog, ...nodes], links);
  const plan = planPipeline(document, agents, dialog, { parallelSteps: 4 });
  if (!plan.ok) throw new Error(JSON.stringify(plan.problems));
  const { leftOutNodes, leftOutLinks } = participationOf(document, foreseenStarters(document, {}));
  return {
    steps: plan.plan.steps.map(({ nodeId }) => nodeId).toSorted(),
    links: plan.plan.graph?.links.map(({ id: _id, from, to, ...run }) => [from, to, run]),
    leftOut: [leftOutNodes, leftOutLinks],
    document,
  };
}

test('D4.25 the input of a disabled card goes on along each of its links', () => {
  const run = planned([card('a'), off('b'), card('c'), card('e')], [link('d', 'a'), link('a', 'b'), link('b', 'c'), link('b', 'e')]);
  expect(run.steps).toEqual(['a', 'c', 'e']);
  expect(run.links).toEqual(
    expect.arrayContaining([
      ['a', 'c', {}],
      ['a', 'e', {}],
    ]),
  );
  expect(run.leftOut).toEqual([['b'], []]);
});

test('D4.25 a disabled choice decides nothing: all of its ways are taken, and the card before it does not choose', () => {
  const ways = [link('b', 'c', { label: 'yes' }), link('b', 'e', { test: { is: 'contains', value: 'no' } }), link('b', 'f')];
  const run = planned([card('a'), off('b'), card('c'), card('e'), card('f')], [link('d', 'a'), link('a', 'b', { label: 'go' }), ...ways]);
  expect(run.links).toHaveLength(3);
  expect(run.links).toEqual(
    expect.arrayContaining([
      ['a', 'c', { label: 'go' }],
      ['a', 'e', { label: 'go' }],
      ['a', 'f', { label: 'go' }],
    ]),
  );
});

test('D4.25 a disabled card never fails, so that its link for failures is left out, and its hold stays', () => {
  const run = planned(
    [card('a'), off('b'), card('c'), card('e')],
    [link('d', 'a'), link('a', 'b'), link('b', 'c', { hold: 'always' }), link('b', 'e', { onFailure: true }), link('d', 'e')],
  );
  expect(run.links).toEqual([['a', 'c', { hold: 'always' }]]);
  expect(run.leftOut).toEqual([['b'], ['conn-b-e']]);
});

test('D4.25 a disabled reviewer repeats nothing, and what it looked at goes on', () => {
  const run = planned(
    [card('a'), card('b'), off('c'), card('e')],
    [
      link('d', 'a'),
      link('a', 'b'),
      link('b', 'c'),
      link('c', 'a', { label: 'again', maxRounds: 3 }),
      link('c', 'e', { label: 'accepted' }),
    ],
  );
  expect(run.links).toEqual([
    ['a', 'b', {}],
    ['b', 'e', {}],
  ]);
  expect(run.leftOut).toEqual([['c'], ['conn-c-a']]);
});

test('D4.25 a loop whose first card is disabled begins at the next card, and repeats nothing where several cards follow', () => {
  const back = link('c', 'a', { label: 'again', maxRounds: 3 });
  const one = planned(
    [off('a'), card('b'), card('c'), card('e'), card('f')],
    [link('d', 'a'), link('a', 'b'), link('b', 'c'), back, link('c', 'e'), link('a', 'f')],
  );
  expect(one.links).toEqual(expect.arrayContaining([['c', 'b', { label: 'again', maxRounds: 3 }]]));
  expect(one.links?.filter(([, to]) => to === 'f')).toEqual([]);
  const two = planned(
    [off('a'), card('b'), card('c'), card('e')],
    [link('d', 'a'), link('a', 'b'), link('a', 'e'), link('b', 'c'), link('e', 'c'), back],
  );
  expect(two.links?.map(([from, to]) => [from, to])).toEqual([
    ['b', 'c'],
    ['e', 'c'],
  ]);
  expect(two.leftOut[1]).toEqual(['conn-c-a']);
});

test('D4.25 a disabled person asks no one, and each way without rounds is taken', () => {
  const person = off('b', { isUser: true, serverAgentId: 'b', step: { person: { question: 'Right?', inputs: [], buttons: ['Stop'] } } });
  const run = planned(
    [card('a'), person, card('c')],
    [link('d', 'a'), link('a', 'b'), link('b', 'c', { label: 'Approve' }), link('b', 'a', { label: 'Change', maxRounds: 3 })],
  );
  expect(run.steps).toEqual(['a', 'c']);
  expect(run.links).toEqual([['a', 'c', {}]]);
});

test('D4.25 a list whose cards are all disabled is passed on whole, and a list with some disabled cards works without these', () => {
  const group: CanvasNode = { id: 'g', type: 'group', title: 'g', x: 350, y: -50, width: 800, height: 300, forEach: { onFailure: 'stop' } };
  const links = [link('d', 'a'), link('a', 'b'), link('b', 'c'), link('c', 'e')];
  const whole = planned([group, card('a'), off('b'), off('c'), card('e')], links);
  expect(whole.links).toEqual([['a', 'e', {}]]);
  const part = planned([group, card('a'), off('b'), card('c'), card('e')], links);
  expect(part.links).toEqual(
    expect.arrayContaining([
      ['a', 'c', {}],
      ['c', 'e', {}],
    ]),
  );
});

test('D4.25 a message goes to the agent behind a disabled one, not to the nearest one', () => {
  const near = card('f', { x: -100, y: 300 });
  const document = documentOf([dialog, off('a'), off('b'), card('c'), near], [link('d', 'a'), link('a', 'b'), link('b', 'c')]);
  expect(resolveDialogTarget(document, dialog)?.id).toBe('c');
  expect(resolveDialogTarget(document, { ...dialog, targetAgentId: 'b' })?.id).toBe('c');
  expect(resolveDialogTarget(document, dialog, [link('d', 'a')])?.id).toBe('c');
});

test('D4.25 a missing field of a disabled card is no error, since no run has that card', () => {
  const { serverAgentId: _agent, ...bare } = card('b');
  const problemsOf = (nodes: CanvasNode[]) =>
    new CheckedDocument(
      agents,
      nodes.map((node) => [node.id, node] as const),
      [],
    )
      .problems()
      .map(({ code }) => code);
  expect(problemsOf([bare])).toContain('agent.serverIdMissing');
  expect(problemsOf([{ ...bare, disabled: true }])).not.toContain('agent.serverIdMissing');
  const twice = { ...card('b'), serverAgentId: card('a').serverAgentId as string };
  expect(problemsOf([card('a'), twice])).toContain('agent.serverIdTwice');
  expect(problemsOf([card('a'), { ...twice, disabled: true }])).not.toContain('agent.serverIdTwice');
});
