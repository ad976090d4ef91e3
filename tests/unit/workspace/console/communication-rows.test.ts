import { expect, test } from 'vitest';
import {
  filterMessages,
  isPanelMessage,
  looksEqual,
  rowReader,
} from '../../../../src/app/workspace/console/conversation/communication-rows.ts';
import { excerpt, excerptBelowHeading } from '../../../../src/app/workspace/markdown/excerpt.ts';
import type { ConsoleMessage } from '../../../../src/model/workspace-state.ts';
import { aStep, usage } from '../../../support/engine/a-step.ts';

const message = (id: string, changes: Partial<ConsoleMessage>): ConsoleMessage => ({
  id,
  timestamp: '2026-01-01T00:00:00.000Z',
  type: 'message',
  agentId: null,
  agentTitle: null,
  role: null,
  toAgentTitle: null,
  text: '',
  event: null,
  isUser: false,
  isAI: false,
  isWarning: false,
  isError: false,
  simulated: false,
  executionId: null,
  stepId: null,
  cost: null,
  ...changes,
});

const steps = [aStep('s1', { name: 'Assistant', role: 'assistant', usage: usage(64) }), aStep('s2', { name: 'Tester', role: 'QA' })];
const talk = [
  message('task', { isUser: true, text: 'Build it', toAgentTitle: 'Assistant', stepId: 's1' }),
  message('first', { isAI: true, agentTitle: 'Assistant', toAgentTitle: 'Tester', text: 'Clear now', stepId: 's1' }),
  message('last', { isAI: true, agentTitle: 'Tester', role: 'QA', text: 'Checked', stepId: 's2' }),
  message('event', { type: 'system-event', event: { code: 'run.completed' } }),
];
const rows = talk.map(rowReader(steps, {}));

test('W2.13 communication says who spoke to whom: the person, each agent, and the person again at the end', () => {
  expect(rows.map((row) => [row.from, row.to])).toEqual([
    [{ kind: 'person' }, { kind: 'agent', title: 'Assistant', role: 'assistant' }],
    [
      { kind: 'agent', title: 'Assistant', role: 'assistant' },
      { kind: 'agent', title: 'Tester', role: 'QA' },
    ],
    [{ kind: 'agent', title: 'Tester', role: 'QA' }, { kind: 'person' }],
    [null, null],
  ]);
});

test('W2.13 tokens are shown beside an agent’s answer, not beside its prompt', () => {
  expect(rows.map((row) => row.totalTokens)).toEqual([null, 64, null, null]);
});

test('W2.13 a conversation in which nothing stands but that the console was opened is an empty one', () => {
  const event = (code: string) => message(code, { type: 'system-event', event: { code } });
  expect(['console.opened', 'console.closed', 'pipeline.validationFailed'].map((code) => isPanelMessage(event(code)))).toEqual([
    true,
    true,
    false,
  ]);
  expect(talk.some(isPanelMessage)).toBe(false);
});

test('W2.13 a row is drawn again only when who speaks, who listens or its tokens have changed', () => {
  const later = (changed: typeof steps) => talk.map(rowReader(changed, {})).map((row, at) => looksEqual(row, rows[at] as typeof row));
  expect(later([...steps])).toEqual([true, true, true, true]);
  expect(later([{ ...(steps[0] as (typeof steps)[0]), usage: usage(65) }, steps[1] as (typeof steps)[0]])).toEqual([
    true,
    false,
    true,
    true,
  ]);
  expect(later([steps[0] as (typeof steps)[0], { ...(steps[1] as (typeof steps)[0]), role: 'Developer' }])).toEqual([
    true,
    false,
    true,
    true,
  ]);
});

test('W2.13 messages are filtered by kind and by words in any case', () => {
  const textOf = ({ text }: ConsoleMessage) => text;
  const ids = (...args: Parameters<typeof filterMessages>) => filterMessages(...args).map(({ id }) => id);
  expect(ids(talk, 'handoffs', '', textOf)).toEqual(['task', 'first', 'last']);
  expect(ids(talk, 'system', '', textOf)).toEqual(['event']);
  expect(ids(talk, 'all', 'CLEAR', textOf)).toEqual(['first']);
});

test('P2.19 what a visitor asks for and the last word of the demonstration belong to the conversation', () => {
  const of = (code: string) => [{ ...(talk.find(({ id }) => id === 'event') as ConsoleMessage), event: { code } }];
  const shown = (code: string, filter: 'handoffs' | 'system') => filterMessages(of(code), filter, '', () => '').length;
  for (const code of ['demo.finished', 'console.announce.analyze'])
    expect([shown(code, 'handoffs'), shown(code, 'system')]).toEqual([1, 0]);
  expect([shown('run.started', 'handoffs'), shown('run.started', 'system')]).toEqual([0, 1]);
});

test('W2.13 a row shows the first line that says something, without Markdown', () => {
  expect(excerpt('---\n# **Plan** for `main`\ntext')).toBe('Plan for main');
  expect(excerpt('```ts\nconst a = 1;\n```\n- [the order](http://x) of snake_case_names')).toBe('the order of snake_case_names');
  expect(excerpt('   \n\n')).toBe('');
  expect(excerpt('word '.repeat(40), 20)).toBe('word word word word…');
});

test('W2.13 a heading gives way to the sentence below it, and stands when it is alone', () => {
  expect(excerptBelowHeading('# Requirements\n\n7 stories, 12 criteria')).toBe('7 stories, 12 criteria');
  expect(excerptBelowHeading('# Requirements')).toBe('Requirements');
});

test('G1.01 steps that work at the same time have lanes of their own, and steps that follow one another have none', () => {
  const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;
  const worked = (id: string, from: number, to: number | null) =>
    aStep(id, { startedAt: at(from), completedAt: to === null ? null : at(to) });
  const lanesOf = (all: typeof steps) =>
    all.map(({ stepId }) => rowReader(all, {})(message(stepId, { isAI: true, agentTitle: stepId, stepId })).lane);
  expect(lanesOf([worked('a', 0, 1), worked('b', 1, 3), worked('c', 1, 2), worked('d', 3, 4), worked('e', 2, null)])).toEqual([
    0, 0, 1, 0, 1,
  ]);
  expect(lanesOf([worked('a', 0, 1), worked('b', 1, 2), worked('c', 2, null)])).toEqual([null, null, null]);
  expect(lanesOf([worked('a', 0, 2), worked('b', 1, 2), aStep('c', {})])).toEqual([0, 1, null]);
  expect(rowReader([worked('a', 0, 2), worked('b', 1, 2)], {})(message('e', { type: 'system-event' })).lane).toBeNull();
});
