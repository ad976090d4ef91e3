import { expect, test } from 'vitest';
import { barredDialog } from '../../../src/app/workspace/run/task/barred-dialog.ts';
import { emptyParticipation } from '../../../src/model/run/participation/participation-state.ts';
import { emptyRun } from '../../../src/model/workspace-state.ts';
import { dialogNode, documentOf } from '../../support/engine/samples.ts';

const dialogs = ['d', 'e'].map((id) => dialogNode(id, 0, 0));
const all = new Set(['d', 'e']);
const state = { document: documentOf(dialogs), participation: emptyParticipation, run: emptyRun };

test('D4.05 the bar writes for the selected dialog, else for the one that the next run begins with, else for the first', () => {
  expect(barredDialog(state, all, new Set(['e', 'a']))).toBe('e');
  expect(barredDialog({ ...state, participation: { ...emptyParticipation, dialogNodeId: 'e' } }, all, new Set())).toBe('e');
  expect(barredDialog({ ...state, participation: { ...emptyParticipation, dialogNodeId: 'gone' } }, all, all)).toBe('d');
  expect(barredDialog({ ...state, document: documentOf([]) }, new Set(), new Set())).toBe(null);
});
