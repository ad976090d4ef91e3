import { expect, test } from 'vitest';
import { normalizeServerAnswer, normalizeServerMessage } from '../../../src/model/normalize-server-answer.ts';

test('W4.10 the statuses of another server are read as the contract has them', () => {
  expect(normalizeServerAnswer('agent.list', [{ id: 'a', status: 'Active' }, { status: 'busy' }, { status: 0 }])).toEqual([
    { id: 'a', status: 1 },
    { status: 2 },
    { status: 0 },
  ]);
  expect(normalizeServerAnswer('result.list', [{ status: 'success' }, { status: 4 }, { status: 'processing' }])).toEqual([
    { status: 2 },
    { status: 4 },
    { status: 1 },
  ]);
  expect(normalizeServerAnswer('execution.details', { status: 'In_Progress', steps: [{ status: 3 }, { status: 'skipped' }] })).toEqual({
    status: 'running',
    steps: [{ status: 'completed' }, { status: 'skipped' }],
  });
  expect(
    normalizeServerAnswer('execution.logs', [
      { status: 'Finished', step: { status: 'error' } },
      { status: 1, step: null },
    ]),
  ).toEqual([
    { status: 'completed', step: { status: 'failed' } },
    { status: 'running', step: null },
  ]);
});

test('W7.03 the result of a command is found at every place where a response can have it', () => {
  const choices = [{ message: { content: 'Done' } }];
  for (const result of [{ choices }, { data: { response: 'Done' } }, { result: { choices } }])
    expect(normalizeServerAnswer('command.status', { id: 'c-1', status: 3, result })).toMatchObject({
      status: 'completed',
      result: 'Done',
    });
  expect(normalizeServerAnswer('command.status', { id: 'c-1', status: 3, result: { other: 1 } })).toMatchObject({ result: { other: 1 } });
  for (const answer of [{ choices }, { response: 'Done' }])
    expect(normalizeServerAnswer('command.openai', { commandId: 'c-1', status: 3, ...answer })).toMatchObject({
      ...{ id: 'c-1', status: 'completed', result: 'Done' },
    });
  expect(normalizeServerAnswer('command.history', [{ id: 'c-1', status: 2, result: null, data: 'Asked' }])).toMatchObject([
    { result: null },
  ]);
});

test('W4.10 an unknown status, or a missing one, stays unchanged', () => {
  for (const answer of [undefined, null, '<h1>oops</h1>', { status: 'strange' }, [null, { id: 'x' }]])
    expect(normalizeServerAnswer('execution.list', answer)).toEqual(answer);
  expect(normalizeServerAnswer('project.get', { status: 'active' })).toEqual({ status: 'active' });
});

test('W4.10 a message of the real-time channel is read the same way', () => {
  expect(normalizeServerMessage({ type: 'pipeline_update', status: 'processing', event: { status: 2, step: { status: 2 } } })).toEqual({
    type: 'pipeline_update',
    status: 'running',
    event: { status: 'running', step: { status: 'running' } },
  });
  expect(normalizeServerMessage({ type: 'connected', status: 'success' })).toEqual({ type: 'connected', status: 'success' });
});
