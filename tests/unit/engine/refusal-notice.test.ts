import { expect, test } from 'vitest';
import type { Command } from '../../../src/model/commands.ts';
import { refusalNotice } from '../../../src/workers/engine/refusal-notice.ts';

const id = 'p-1';
const refused = (command: Command, code: string) => refusalNotice(command, { code, params: { message: 'No' } })?.code ?? null;

test('W2.02 a call that failed is reported as a failed call, and any other refusal in its own words', () => {
  for (const code of ['network', 'api.timeout', 'bad_answer', 'forbidden']) {
    expect(refusalNotice({ type: 'history.reload' }, { code, params: { message: 'No' } })).toEqual({
      code: 'api.failed',
      params: { message: 'No', cause: code },
    });
  }
  expect(refused({ type: 'link.add', from: 'a', to: 'a' }, 'link.self')).toBe('link.self');
});

test('W8.01 a refusal that is shown at its control, or that asks a question, is shown nowhere else', () => {
  expect(refused({ type: 'dialog.send', nodeId: 'd', text: '' }, 'network')).toBeNull();
  expect(refused({ type: 'agent.create', title: 'QA', role: 'QA', description: '' }, 'network')).toBeNull();
  expect(refused({ type: 'project.remove', id }, 'network')).toBeNull();
  expect(refused({ type: 'question.answer', id, answer: { action: 'answer' } }, 'question_withdrawn')).toBeNull();
  expect(refused({ type: 'run.foresee' }, 'workspace.opening')).toBeNull();
  expect(refused({ type: 'input.removeFile', setId: 's', path: 'a.txt' }, 'network')).toBeNull();
  for (const code of ['run.chooseDialog', 'run.taskNeeded', 'undo.nothing', 'redo.nothing', 'clip.unsound', 'console.empty'])
    expect(refused({ type: 'run.start' }, code)).toBeNull();
});

test('W7.01 a refused rename of a project shows its error in the form; a refused archiving shows a message', () => {
  expect(refused({ type: 'project.update', id, name: 'Shop' }, 'network')).toBeNull();
  expect(refused({ type: 'project.update', id, name: 'Shop', status: 'draft' }, 'network')).toBeNull();
  expect(refused({ type: 'project.update', id, status: 'archived' }, 'network')).toBe('api.failed');
});
