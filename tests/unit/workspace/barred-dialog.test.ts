import { expect, test } from 'vitest';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { countNodes } from '../../../src/app/workspace/frame/node-counts.ts';
import type { StartHints } from '../../../src/app/workspace/run/start/start-choice.ts';
import { barredDialog } from '../../../src/app/workspace/run/task/barred-dialog.ts';
import { emptyRun, type RunState } from '../../../src/model/workspace-state.ts';
import { dialogNode, documentOf, link } from '../../support/engine/samples.ts';

const start: CanvasNode = { id: 's', type: 'start', title: 'Start', x: 0, y: 900 };
const card: CanvasNode = { id: 'a', type: 'agent', title: 'Developer', x: 400, y: 0 };
const document = documentOf([dialogNode('low', 0, 600), dialogNode('high', 0, 0), start, card], [link('s', 'a')]);
const counts = countNodes(document, () => true);
const barred = (run: RunState, hints: Partial<StartHints> = {}) =>
  barredDialog({ document, run }, counts, { selected: new Set(), chosen: null, draftOf: () => '', ...hints });
const running = (dialogNodeId: string) =>
  ({ ...emptyRun, phase: 'running', execution: { id: 'run', dialogNodeId } as RunState['execution'] }) satisfies RunState;

test('D4.05 the bar writes for the dialog that Start begins with, and for none where it begins with a start card', () => {
  expect(barred(emptyRun)).toBe('high');
  expect(barred(emptyRun, { chosen: 'low' })).toBe('low');
  expect(barred(emptyRun, { draftOf: (id) => (id === 'low' ? 'Mend it' : '') })).toBe('low');
  expect(barred(emptyRun, { chosen: 'low', selected: new Set(['high', 'a']) })).toBe('high');
  expect(barred(emptyRun, { selected: new Set(['s']) })).toBe(null);
  expect(
    barredDialog(
      { document: documentOf([]), run: emptyRun },
      countNodes(documentOf([]), () => true),
      { selected: new Set(), chosen: null, draftOf: () => '' },
    ),
  ).toBe(null);
});

test('D4.05 during a run the bar writes for the selected dialog, else for that of the run', () => {
  expect(barred(running('low'), { chosen: 'high' })).toBe('low');
  expect(barred(running('low'), { selected: new Set(['high']) })).toBe('high');
  expect(barred(running('low'), { selected: new Set(['s']), draftOf: (id) => (id === 'high' ? 'Later' : '') })).toBe('low');
});
