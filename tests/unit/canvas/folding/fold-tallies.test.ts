import { produce } from 'immer';
import { expect, test } from 'vitest';
import { isFolded } from '../../../../src/canvas/folding/folded-records.ts';
import { Folding } from '../../../../src/canvas/folding/folding.ts';
import { DocumentIndex } from '../../../../src/canvas/geometry/document-index.ts';
import { touchedAll } from '../../../../src/canvas/geometry/touched.ts';
import { RunOnCanvas } from '../../../../src/canvas/scene/run-on-canvas.ts';
import { emptyParticipation } from '../../../../src/model/run/participation-state.ts';
import { emptyRun, type RunState } from '../../../../src/model/workspace-state.ts';
import { agentAt, documentOf, groupAt } from '../../../support/canvas/canvas-driver.ts';
import { foldWords } from '../../../support/canvas/fold-words.ts';
import { aStep } from '../../../support/engine/a-step.ts';

const document = documentOf(
  [groupAt('g', 0, 0, 1_600, 240), agentAt('a', 40, 40), agentAt('b', 440, 40), agentAt('c', 840, 40), agentAt('x', -400, 0)],
  [
    ['x', 'a'],
    ['x', 'b'],
    ['a', 'c'],
  ],
);

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

function shown(folded: string[] = ['g']) {
  const held = { folding: new Folding(document, new Set(folded), foldWords) };
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

test('D4.36 a change of one card counts that card anew, and leads to what counting all does', () => {
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
