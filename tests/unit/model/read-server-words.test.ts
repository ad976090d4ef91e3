import { expect, test } from 'vitest';
import { readServerMessage, readServerWords } from '../../../src/model/read-server-words.ts';

test('W4.10 the statuses of another server are read as the contract has them', () => {
  expect(readServerWords('agent.list', [{ id: 'a', status: 'Active' }, { status: 'busy' }, { status: 0 }])).toEqual([
    { id: 'a', status: 1 },
    { status: 2 },
    { status: 0 },
  ]);
  expect(readServerWords('result.list', [{ status: 'success' }, { status: 4 }, { status: 'processing' }])).toEqual([
    { status: 2 },
    { status: 4 },
    { status: 1 },
  ]);
  expect(readServerWords('execution.details', { status: 'In_Progress', steps: [{ status: 3 }, { status: 'skipped' }] })).toEqual({
    status: 'running',
    steps: [{ status: 'completed' }, { status: 'skipped' }],
  });
  expect(
    readServerWords('execution.logs', [
      { status: 'Finished', step: { status: 'error' } },
      { status: 1, step: null },
    ]),
  ).toEqual([
    { status: 'completed', step: { status: 'failed' } },
    { status: 'running', step: null },
  ]);
});

test('W7.03 what came of a command is found wherever an answer puts it', () => {
  const choices = [{ message: { content: 'Done' } }];
  for (const result of [{ choices }, { data: { response: 'Done' } }, { result: { choices } }])
    expect(readServerWords('command.status', { id: 'c-1', status: 3, result })).toMatchObject({ status: 'completed', result: 'Done' });
  expect(readServerWords('command.status', { id: 'c-1', status: 3, result: { other: 1 } })).toMatchObject({ result: { other: 1 } });
  for (const answer of [{ choices }, { response: 'Done' }])
    expect(readServerWords('command.openai', { commandId: 'c-1', status: 3, ...answer })).toMatchObject({
      ...{ id: 'c-1', status: 'completed', result: 'Done' },
    });
  expect(readServerWords('command.history', [{ id: 'c-1', status: 2, result: null, data: 'Asked' }])).toMatchObject([{ result: null }]);
});

test('W4.10 an unknown status, or a missing one, stays unchanged', () => {
  for (const answer of [undefined, null, '<h1>oops</h1>', { status: 'strange' }, [null, { id: 'x' }]])
    expect(readServerWords('execution.list', answer)).toEqual(answer);
  expect(readServerWords('project.get', { status: 'active' })).toEqual({ status: 'active' });
});

test('W4.10 a message of the real-time channel is read the same way', () => {
  expect(readServerMessage({ type: 'pipeline_update', status: 'processing', event: { status: 2, step: { status: 2 } } })).toEqual({
    type: 'pipeline_update',
    status: 'running',
    event: { status: 'running', step: { status: 'running' } },
  });
  expect(readServerMessage({ type: 'connected', status: 'success' })).toEqual({ type: 'connected', status: 'success' });
});
