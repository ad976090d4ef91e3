import { expect, test } from 'vitest';
import { modelErrorCodes } from '../../../../contract/errors.ts';
import { failureFor } from '../../../../server/modules/executions/store/failure-texts.ts';
import { stoppedAt } from '../../../../server/modules/executions/transitions/end-run.ts';

test.each(['en', 'ru'] as const)('G8.14 no sentence about a failure has a gap where an agent has no name: %s', (language) => {
  for (const agent of ['', ' ']) {
    const sentences = modelErrorCodes.map((code) => failureFor({ code }, language, { agent, host: 'h.example', seconds: 9 }).message);
    expect(sentences.filter((text) => /^\s*[:.]|\s[:.]|«\s*»|\{\w+\}|\s{2}/.test(text))).toEqual([]);
  }
});

test('G8.14 a stopped run names the step that runs or has not begun, else one that waits for a person, else the last one', () => {
  const [done, waiting, pending] = (['completed', 'waiting', 'pending'] as const).map((status) => ({
    status,
    agentTitle: status,
    name: 'Card',
  }));
  const steps = [done, waiting, pending].map((step) => step as NonNullable<typeof step>);
  expect(stoppedAt(steps)).toBe('pending');
  expect(stoppedAt(steps.slice(0, 2))).toBe('waiting');
  expect(stoppedAt(steps.slice(0, 1))).toBe('completed');
  expect(stoppedAt([{ status: 'waiting', agentTitle: '', name: 'Card' }])).toBe('Card');
});
