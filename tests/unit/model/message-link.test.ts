import { expect, test } from 'vitest';
import type { Execution } from '../../../contract/executions/execution.ts';
import { blankLine } from '../../../src/model/console/console-lines.ts';
import { messageLink } from '../../../src/model/run/message-link.ts';
import { aStep } from '../../support/engine/a-step.ts';
import { chainDocument, link } from '../../support/engine/samples.ts';

const steps = ['a', 'b', 'c'].map((nodeId, orderIndex) => aStep(`step-${nodeId}`, { nodeId, orderIndex }));
const run = { execution: { id: 'run', dialogNodeId: 'd' } as Execution, steps };
const said = (changes: object) => ({ ...blankLine, type: 'message' as const, executionId: 'run', ...changes });
const linkOf = (changes: object) => {
  const link = messageLink(said(changes), run, chainDocument());
  return link && [link.from.agentId, link.to.agentId];
};

test('W2.13 a message belongs to the link that it went along: from the dialog to the first agent, then from each to the next', () => {
  expect(linkOf({ isUser: true, toAgentTitle: 'First' })).toEqual(['d', 'a']);
  expect(linkOf({ isAI: true, stepId: 'step-a' })).toEqual(['a', 'b']);
  expect(linkOf({ isAI: true, stepId: 'step-b' })).toEqual(['b', 'c']);
});

test('W2.13 a message to a person, of another run, of the system, or between cards without a link belongs to none', () => {
  expect(linkOf({ isAI: true, stepId: 'step-c' })).toBeNull();
  expect(linkOf({ isAI: true, stepId: 'step-a', executionId: 'other' })).toBeNull();
  expect(linkOf({ type: 'system-event', stepId: 'step-a' })).toBeNull();
  expect(linkOf({ isUser: true })).toBeNull();
  const document = chainDocument();
  expect(messageLink(said({ isAI: true, stepId: 'step-a' }), run, { ...document, connections: {} })).toBeNull();
});

test('W2.13 in a run with branches a message goes along a link of its card, past the cards beside it and its own later rounds', () => {
  const [first, , third] = steps as [ReturnType<typeof aStep>, unknown, ReturnType<typeof aStep>];
  const beside = aStep('step-x', { nodeId: 'x', orderIndex: 1 });
  const again = aStep('step-a2', { nodeId: 'a', orderIndex: 0, round: 1 });
  const document = chainDocument();
  const forked = { ...document, connections: { forward: link('a', 'c') } };
  const taken = messageLink(said({ isAI: true, stepId: 'step-a' }), { ...run, steps: [first, again, beside, third] }, forked);
  expect(taken?.to.agentId).toBe('c');
});
