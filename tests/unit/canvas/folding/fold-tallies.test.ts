import { produce } from 'immer';
import { expect, test } from 'vitest';
import { isFolded } from '../../../../src/canvas/folding/folded-records.ts';
import { Folding } from '../../../../src/canvas/folding/folding.ts';
import { DocumentIndex } from '../../../../src/canvas/geometry/document-index.ts';
import { touchedAll } from '../../../../src/canvas/geometry/touched.ts';
import { RunOnCanvas } from '../../../../src/canvas/scene/run-on-canvas.ts';
import { cardViews, idleCard } from '../../../../src/model/card-view.ts';
import { emptyParticipation } from '../../../../src/model/run/participation/participation-state.ts';
import { emptyRun, type RunState } from '../../../../src/model/workspace-state.ts';
import { agentAt, documentOf, groupAt } from '../../../support/canvas/canvas-driver.ts';
import { foldWords } from '../../../support/canvas/fold-words.ts';
import { aStep } from '../../../support/engine/a-step.ts';

const cards = [groupAt('g', 0, 0, 1_600, 240), agentAt('a', 40, 40), agentAt('b', 440, 40), agentAt('c', 840, 40), agentAt('x', -400, 0)];
const document = documentOf(cards, [
  ['x', 'a'],
  ['x', 'b'],
  ['a', 'c'],
]);

function run(statuses: Record<string, Partial<RunState['steps'][number]>>): RunState {
  const steps = Object.entries(statuses).map(([id, step], orderIndex) => aStep(`s-${id}`, { nodeId: id, orderIndex, ...step }));
  const graph = {
    linkIds: ['x-a', 'x-b', 'a-c'],
    linkStates: ['taken' as const, 'passing' as const, 'pending' as const],
    rounds: {},
    lists: {},
    maxParallel: 1,
  };
  return { ...emptyRun, phase: 'running', steps, graph };
}

const paid = (micros: number) => ({ amounts: [{ currency: 'USD', micros }] });

function shown(folded: string[] = ['g'], of = document) {
  const held = { folding: new Folding(of, new Set(folded), foldWords) };
  const index = new DocumentIndex();
  index.update(held.folding, touchedAll);
  const onCanvas = new RunOnCanvas(held);
  onCanvas.followFolds();
  const tally = () => {
    const { g } = held.folding.nodes;
    return g && isFolded(g) ? onCanvas.tally(g) : null;
  };
  return { held, index, onCanvas, tally };
}

const start = run({
  x: { status: 'completed', cost: paid(100) },
  a: { status: 'completed', cost: paid(400) },
  b: { status: 'running' },
  c: { status: 'pending' },
});

test('D4.36 a folded group shows steps done of all, the worst state, the cost and the open questions of its cards alone', () => {
  const { onCanvas, tally } = shown();
  onCanvas.update(start, emptyParticipation);
  expect(tally()).toMatchObject({ count: 3, done: 1, total: 3, asked: 0, cost: paid(400), view: { state: 'active' } });
  const asking = produce(start, (draft) => {
    Object.assign(draft.steps[2] ?? {}, { status: 'failed', cost: { amounts: [], isUnknown: true } });
    Object.assign(draft.steps[3] ?? {}, { status: 'waiting' });
  });
  expect(onCanvas.update(asking, emptyParticipation)).toMatchObject({ nodes: ['g'], links: [] });
  expect(tally()).toMatchObject({ done: 1, total: 3, asked: 1, cost: { ...paid(400), isUnknown: true }, view: { state: 'failed' } });
  const mended = produce(asking, (draft) => {
    Object.assign(draft.steps[2] ?? {}, { status: 'completed', cost: paid(50) });
    Object.assign(draft.steps[3] ?? {}, { status: 'skipped' });
  });
  onCanvas.update(mended, emptyParticipation);
  expect(tally()).toMatchObject({ done: 2, total: 2, asked: 0, cost: paid(450), view: { state: 'done' } });
});

test('D4.36 counting only the changed card gives the same tally as counting all cards', () => {
  const { onCanvas, tally } = shown();
  let now = start;
  onCanvas.update(now, emptyParticipation);
  for (const [at, status] of [...'222333'].map((at, i) => [Number(at), (['failed', 'completed', 'running'] as const)[i % 3]] as const)) {
    now = produce(now, (draft) => {
      Object.assign(draft.steps[at] ?? {}, { status, cost: paid(at * 7) });
    });
    onCanvas.update(now, emptyParticipation);
    const anew = shown();
    anew.onCanvas.update(structuredClone(now), emptyParticipation);
    expect(tally()).toEqual(anew.tally());
  }
});

test('D4.36 cards that the next run leaves out make a folded group grey only if they are all of its cards', () => {
  const { onCanvas, tally } = shown();
  onCanvas.update(emptyRun, { ...emptyParticipation, leftOutNodes: ['a', 'b'] });
  expect(tally()?.view.isLeftOut).toBeUndefined();
  expect(onCanvas.update(emptyRun, { ...emptyParticipation, leftOutNodes: ['a', 'b', 'c'] }).nodes).toEqual(['g']);
  expect(tally()?.view.isLeftOut).toBe(true);
});

test('D4.34 a line for several links shows the liveliest of their states, and a folded group works while one of its cards does', () => {
  const { onCanvas, index } = shown();
  onCanvas.update(start, emptyParticipation);
  const line = index.links.get('x-a');
  if (!line) throw new Error('No line');
  expect(onCanvas.link(line, index)).toBe('passing');
  expect(onCanvas.active).toEqual(['g']);
  expect(onCanvas.usedPorts('g', index)).toEqual({ in: true, out: false });
});

test('D4.36 a group that is folded during a run shows it at once, and an open one shows nothing of it', () => {
  const { held, onCanvas, tally } = shown([]);
  onCanvas.update(start, emptyParticipation);
  expect([tally(), onCanvas.active]).toEqual([null, ['b']]);
  held.folding = new Folding(document, new Set(['g']), foldWords);
  expect(onCanvas.followFolds()).toBe(true);
  expect(tally()).toMatchObject({ done: 1, total: 3 });
  expect(onCanvas.active).toEqual(['g']);
  expect(onCanvas.followFolds()).toBe(false);
});

test('D1.31 a folded group without a card in the shown run is not part of this run, until one of its cards is', () => {
  const { onCanvas, index, tally, held } = shown();
  const others = run({ x: { status: 'running' } });
  onCanvas.update(others, emptyParticipation);
  expect(tally()?.view).toMatchObject({ isOutside: true, isLeftOut: true });
  const card = index.nodes.get('g');
  expect(card && onCanvas.viewOf(card, index)?.isOutside).toBe(true);
  const one = run({ x: { status: 'running' }, b: { status: 'pending' } });
  expect(onCanvas.update(one, emptyParticipation).nodes).toContain('g');
  expect(tally()?.view).toEqual({ ...idleCard, state: 'waiting' });
  held.folding = new Folding(document, new Set(['g']), foldWords);
  onCanvas.update(others, emptyParticipation);
  expect(tally()?.view.isOutside).toBe(true);
  expect(onCanvas.update({ ...others, isPast: true }, emptyParticipation).nodes).toContain('g');
  expect(tally()?.view).toEqual(idleCard);
});

test('D1.31 before a run a folded group says which of its cards another start begins only if all of them are such', () => {
  const { onCanvas, tally } = shown();
  const outside = (nodeIds: string[]) => ({
    ...emptyParticipation,
    leftOutNodes: ['a', 'b', 'c'],
    reports: [{ kind: 'otherStart' as const, params: {}, isLeftOut: true, nodeIds, linkIds: [], cures: [] }],
  });
  onCanvas.update(emptyRun, outside(['a', 'b', 'c']));
  expect(tally()?.view.isOutside).toBe(true);
  onCanvas.update(emptyRun, outside(['a', 'b']));
  expect(tally()?.view).toEqual({ ...idleCard, isLeftOut: true });
});

test('D1.20 a folded group with a dialog that is left out is not grey while one of its agents takes part', () => {
  const { onCanvas, tally } = shown(['g'], documentOf([...cards, { ...agentAt('d', 1_240, 40), type: 'dialog' }], []));
  onCanvas.update(emptyRun, { ...emptyParticipation, leftOutNodes: ['a', 'b', 'd'] });
  expect(tally()?.view).toEqual(idleCard);
});

test('D1.31 cards that are only shown do not put a folded group into a run, and a dialog that began it does', () => {
  const nodes = [groupAt('g', 0, 0, 1_600, 240), { ...agentAt('a', 40, 40), isUser: true }, agentAt('b', 440, 40)];
  const only = shown(['g'], documentOf([...nodes, agentAt('x', -400, 0)], []));
  const others = run({ x: { status: 'running' } });
  only.onCanvas.update(others, emptyParticipation);
  expect(only.tally()?.view.isOutside).toBe(true);
  const begun = shown(['g'], documentOf([...nodes, agentAt('x', -400, 0), { ...agentAt('d', 840, 40), type: 'dialog' }], []));
  begun.onCanvas.update({ ...others, execution: { id: 'e', dialogNodeId: 'd' } as RunState['execution'] }, emptyParticipation);
  expect(begun.tally()?.view).toEqual(idleCard);
  begun.onCanvas.update({ ...others, execution: { id: 'f', dialogNodeId: 'q' } as RunState['execution'] }, emptyParticipation);
  expect(begun.tally()?.view.isOutside).toBe(true);
});

test('D4.36 the map shows the worst state of the cards of a folded group', () => {
  const { held } = shown();
  const stateIn = (one: RunState) => held.folding.stateOf('g', cardViews(one));
  expect(stateIn(start)).toBe('active');
  expect(stateIn(run({ a: { status: 'completed' }, b: { status: 'failed' }, c: { status: 'running' } }))).toBe('failed');
  expect(stateIn(run({ x: { status: 'running' } }))).toBe('idle');
  expect(held.folding.stateOf('x', cardViews(start))).toBe('idle');
});
