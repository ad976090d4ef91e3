import { produce } from 'immer';
import { expect, test } from 'vitest';
import type { LinkInRun } from '../../../../rules/run-graph/link-in-run.ts';
import { DocumentIndex } from '../../../../src/canvas/geometry/document-index.ts';
import { touchedAll } from '../../../../src/canvas/geometry/touched.ts';
import { RunOnCanvas } from '../../../../src/canvas/scene/run-on-canvas.ts';
import { DocumentCells } from '../../../../src/canvas/scene/tiles/document-cells.ts';
import { emptyParticipation } from '../../../../src/model/run/participation/participation-state.ts';
import { emptyRun, type RunState } from '../../../../src/model/workspace-state.ts';
import { agentAt, documentOf } from '../../../support/canvas/canvas-driver.ts';
import { aStep } from '../../../support/engine/a-step.ts';

const count = 10_000;

/** A row of cards, each linked to the next, all in one run. */
function longRow() {
  const nodes = Array.from({ length: count }, (_, at) => agentAt(`n${at}`, at * 350, 0));
  const document = documentOf(
    nodes,
    nodes.slice(1).map((_, at) => [`n${at}`, `n${at + 1}`]),
  );
  const ids = Object.keys(document.connections);
  const run: RunState = {
    ...emptyRun,
    phase: 'running',
    steps: nodes.map(({ id }, orderIndex) => aStep(`s-${id}`, { nodeId: id, orderIndex, status: 'pending' })),
    graph: { linkIds: ids, linkStates: ids.map((): LinkInRun => 'pending'), rounds: {}, lists: {}, maxParallel: 1 },
  };
  return { document, ids, run };
}

test('G1.01 a change of a run with 10,000 cards touches only the changed cards and links, and the first change draws all', () => {
  const { document, ids, run } = longRow();
  const index = new DocumentIndex();
  const cells = new DocumentCells(index);
  cells.update(document, touchedAll);
  const shown = new RunOnCanvas();
  expect(cells.touchRun(shown.update(run, emptyParticipation))).toBe(false);

  const next = produce(run, (draft) => {
    Object.assign(draft.steps[7] ?? {}, { status: 'completed' });
    if (draft.graph) draft.graph.linkStates[7] = 'waiting';
  });
  const change = shown.update(next, emptyParticipation);
  expect(change).toEqual({ nodes: ['n7'], links: [ids[7]], lists: false });
  expect(cells.touchRun(change)).toBe(true);
  expect([...shown.waitingLinks]).toEqual([ids[7]]);
  const link = document.connections[ids[7] ?? ''];
  if (!link) throw new Error('No link');
  expect(shown.link(link, index)).toBe('waiting');
  expect([shown.usedPorts('n7', index), shown.usedPorts('n8', index)]).toEqual([
    { in: false, out: true },
    { in: false, out: false },
  ]);

  expect(shown.update({ ...next, phase: 'paused' }, emptyParticipation)).toEqual({ nodes: ['n0'], links: [], lists: false });
  expect(shown.isUnderWay).toBe(false);
  const taken = produce(next, (draft) => {
    if (draft.graph) draft.graph.linkStates[7] = 'taken';
  });
  expect(shown.update(taken, emptyParticipation)).toMatchObject({ links: [ids[7]] });
  expect(shown.waitingLinks.size).toBe(0);
  expect(shown.update(emptyRun, emptyParticipation).links).toBe('all');
});

test('D1.20 cards and links that the next run leaves out are grey while no run is shown', () => {
  const nodes = [agentAt('a', 0, 0), agentAt('b', 400, 0), agentAt('c', 800, 0)];
  const document = documentOf(nodes, [
    ['a', 'b'],
    ['b', 'c'],
  ]);
  const [kept = '', left = ''] = Object.keys(document.connections);
  const index = new DocumentIndex();
  new DocumentCells(index).update(document, touchedAll);
  const shown = new RunOnCanvas();
  const look = (id: string) => {
    const link = document.connections[id];
    return link && shown.link(link, index);
  };
  const part = { ...emptyParticipation, leftOutNodes: ['c'], leftOutLinks: [left] };
  expect(shown.update(emptyRun, part)).toMatchObject({ nodes: ['c'], links: [left] });
  expect([shown.view('b'), shown.view('c')?.isLeftOut, look(kept), look(left)]).toEqual([undefined, true, 'rest', 'dead']);
  expect(shown.update({ ...emptyRun }, part)).toMatchObject({ nodes: [], links: [] });

  const underWay = { ...emptyRun, execution: { id: 'e' } } as RunState;
  expect(shown.update(underWay, part)).toMatchObject({ nodes: ['c'], links: [left] });
  expect([shown.view('c'), look(left)]).toEqual([undefined, 'rest']);
});

test('D1.30 D1.31 the end of a run, and an edit after it, draw all cards and links anew', () => {
  const { document, ids, run } = longRow();
  const index = new DocumentIndex();
  new DocumentCells(index).update(document, touchedAll);
  const shown = new RunOnCanvas();
  const outside = agentAt('other', 0, 900);
  const dialog = { ...emptyParticipation, reports: [{ kind: 'otherStart', nodeIds: ['n3'] } as never] };
  expect(shown.update(emptyRun, dialog)).toMatchObject({ nodes: ['n3'] });
  expect(shown.view('n3')).toMatchObject({ isOutside: true });
  shown.update(run, dialog);
  expect([shown.viewOf(outside, index)?.isOutside, shown.view('n3')?.isOutside]).toEqual([true, undefined]);
  const ended: RunState = { ...run, phase: 'stopped', outcome: 'cancelled' };
  const link = document.connections[ids[7] ?? ''];
  if (!link) throw new Error('No link');
  expect(shown.link(link, index)).toBe('pending');
  expect(shown.update(ended, dialog).links).toBe('all');
  expect(shown.link(link, index)).toBe('dead');
  expect(shown.update({ ...ended }, dialog).links).toEqual([]);
  expect(shown.update({ ...ended, isPast: true }, dialog).links).toBe('all');
  expect([shown.link(link, index), shown.viewOf(outside, index)]).toEqual(['pending', undefined]);
});
