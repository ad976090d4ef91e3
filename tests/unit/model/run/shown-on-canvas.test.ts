import { expect, test } from 'vitest';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import type { LinkInRun } from '../../../../rules/run-graph/link-in-run.ts';
import { emptyParticipation } from '../../../../src/model/run/participation/participation-state.ts';
import { isDialogOutside, isOutsideRun, linkOnCanvas, runOnCards } from '../../../../src/model/run/shown-on-canvas.ts';
import { emptyRun, type RunState } from '../../../../src/model/workspace-state.ts';
import { agentAt, documentOf } from '../../../support/canvas/canvas-driver.ts';
import { aStep } from '../../../support/engine/a-step.ts';

const card = (id: string, changes: Partial<CanvasNode>): CanvasNode => ({ ...agentAt(id, 0, 0), ...changes });

/** Dialog d leads past a user u to a, then to b or c. The start s leads to d. Dialog d2 leads to a and to x; o has no link. */
const document = documentOf(
  [
    card('s', { type: 'start' }),
    ...[card('d', { type: 'dialog' }), card('d2', { type: 'dialog' }), card('u', { isUser: true })],
    ...['a', 'b', 'c', 'x', 'o'].map((id) => agentAt(id, 0, 0)),
  ],
  [
    ['s', 'd'],
    ['d', 'u'],
    ['u', 'a'],
    ['a', 'b'],
    ['a', 'c'],
    ['d2', 'a'],
    ['d2', 'x'],
  ],
);

const ended = (changes: Partial<RunState> = {}): RunState => ({
  ...emptyRun,
  outcome: 'completed',
  execution: { id: 'e', dialogNodeId: 'd' } as RunState['execution'],
  steps: (['completed', 'completed', 'skipped'] as const).map((status, orderIndex) =>
    aStep(`s${orderIndex}`, { status, orderIndex, nodeId: 'abc'.charAt(orderIndex) }),
  ),
  ...changes,
});

const linksOf = (run: RunState) => {
  const on = runOnCards(document, run);
  return Object.fromEntries(Object.values(document.connections).map((link) => [link.id, linkOnCanvas(link, on)]));
};
const outsideOf = (run: RunState) => {
  const on = runOnCards(document, run);
  return Object.values(document.nodes).flatMap((node) => (isOutsideRun(node, on) ? node.id : []));
};

const graph = (states: Record<string, LinkInRun>) => ({
  linkIds: Object.keys(states),
  linkStates: Object.values(states),
  rounds: {},
  lists: {},
  maxParallel: 1,
});

test('D1.30 after a run links that a result has passed are bright, and all others are dim', () => {
  const dim = { 'a-c': 'dead', 'd2-a': 'dead', 'd2-x': 'dead' };
  expect(linksOf(ended())).toEqual({ 's-d': 'taken', 'd-u': 'taken', 'u-a': 'taken', 'a-b': 'taken', ...dim });
});

test('D1.30 in a run that follows links each moment of a replay shows what was passed, and what may still be', () => {
  const moment = ended({ outcome: null, phase: 'running', moment: 1, graph: graph({ 'a-b': 'pending', 'a-c': 'pending' }) });
  expect(linksOf(moment)).toMatchObject({ 'u-a': 'taken', 'a-b': 'pending', 'd2-x': 'dead' });
  expect(linksOf({ ...moment, moment: undefined as never })).toMatchObject({ 'a-b': 'pending', 'd2-x': 'rest' });
  expect(linksOf(ended({ graph: graph({ 'a-b': 'taken', 'a-c': 'pending' }) }))).toMatchObject({ 'a-b': 'taken', 'a-c': 'dead' });
});

test('D1.30 an edit after the run, and no run, dim nothing', () => {
  expect(linksOf(ended({ isPast: true }))).toMatchObject({ 'u-a': 'taken', 'a-c': 'rest', 'd2-x': 'rest' });
  expect(new Set(Object.values(linksOf(emptyRun)))).toEqual(new Set(['rest']));
});

test('D1.30 a link that is drawn between two steps after their run looks as if nothing has passed it', () => {
  const run = ended({ isPast: true, graph: graph({ 'a-c': 'dead' }) });
  expect(linksOf(run)).toMatchObject({ 'u-a': 'taken', 'a-b': 'rest' });
});

test('D1.31 cards of another start and cards without a way in are no part of the run, those it passed are', () => {
  expect(outsideOf(ended())).toEqual(['d2', 'x', 'o']);
  expect(outsideOf(ended({ outcome: null, phase: 'running' }))).toEqual(['d2', 'x', 'o']);
  expect([outsideOf(ended({ isPast: true })), outsideOf(emptyRun)]).toEqual([[], []]);
});

test('D1.31 a second dialog says that it is not part of the run that is shown, or of the next one', () => {
  const report = { kind: 'otherStart', params: {}, isLeftOut: true, nodeIds: ['d2', 'x'], linkIds: [], cures: [] } as const;
  const participation = { ...emptyParticipation, reports: [report] };
  const outside = (run: RunState) => ['d', 'd2'].map((id) => isDialogOutside(id, { run, participation }));
  expect([outside(emptyRun), outside(ended())]).toEqual([
    [false, true],
    [false, true],
  ]);
  expect(isDialogOutside('d2', { run: ended({ isPast: true }), participation: emptyParticipation })).toBe(false);
});
