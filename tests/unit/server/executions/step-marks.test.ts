import { expect, test } from 'vitest';
import { marksOf } from '../../../../server/modules/executions/work/step-marks.ts';

type Answered = Parameters<typeof marksOf>[0];

const marks = (change: { [Part in keyof Answered]?: Partial<Answered[Part]> | boolean } = {}) =>
  marksOf({
    row: { hasFiles: true, inputSetId: null, initialTask: 'Add a filter', ...(change.row as object) },
    step: { role: 'Developer', toolUse: null, ...(change.step as object) },
    answer: { ...(change.answer as object) },
    files: { admitted: 0, refused: 0, isCut: false, ...(change.files as object) },
    isChoiceOrList: change.isChoiceOrList === true,
  });

test('M2.26 a step is marked as without a file if a developer changed none of the files, or if the last write failed', () => {
  expect(marks()).toEqual(['noFile']);
  expect(marks({ row: { hasFiles: false, inputSetId: 'set' } })).toEqual(['noFile']);
  expect(marks({ step: { role: 'QA' }, answer: { lastWrite: 'failed' } })).toEqual(['noFile']);
  expect(marks({ step: { role: 'QA' }, files: { refused: 1 } })).toEqual(['noFile']);
  expect(marks({ answer: { marks: ['cut'] } })).toEqual(['cut', 'noFile']);
});

test('M2.26 plans, reviews, tests, questions and steps that wrote a file are not marked', () => {
  expect(marks({ files: { admitted: 1, refused: 1 } })).toBeNull();
  expect(marks({ answer: { lastWrite: 'written' } })).toBeNull();
  expect(marks({ step: { toolUse: { calls: 1, read: 0, written: 1, current: null } } })).toBeNull();
  for (const role of ['QA', 'BusinessAnalyst', 'TechnicalArchitect', 'ProjectManager', 'assistant'])
    expect(marks({ step: { role } })).toBeNull();
  expect(marks({ isChoiceOrList: true })).toBeNull();
  expect(marks({ row: { initialTask: 'What does price.ts do?\n' } })).toBeNull();
  expect(marks({ row: { hasFiles: false } })).toBeNull();
});

test('M2.40 a step whose last file ends in the middle is marked as cut', () => {
  expect(marks({ files: { admitted: 1, refused: 1, isCut: true } })).toEqual(['cut']);
  expect(marks({ files: { refused: 1, isCut: true } })).toEqual(['cut', 'noFile']);
});
