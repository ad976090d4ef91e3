import { expect, test } from 'vitest';
import type { Agent } from '../../../../contract/agent.ts';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import type { StepRun } from '../../../../contract/executions/execution.ts';
import { cardContent } from '../../../../src/canvas/scene/cards/card-content.ts';
import type { CardTexts } from '../../../../src/canvas/scene/text/card-texts.ts';
import { firstLine } from '../../../../src/canvas/scene/text/first-line.ts';
import { type CardView, idleCard, leftOutCard, outsideCard } from '../../../../src/model/card-view.ts';
import { clock, durationText } from '../../../../src/ui/i18n/duration.ts';

const texts: CardTexts = {
  language: 'en',
  state: {
    idle: 'Idle',
    waiting: 'Waiting',
    active: 'Working',
    paused: 'Paused',
    done: 'Done',
    failed: 'Failed',
    stopped: 'Stopped',
    skipped: 'Skipped',
  },
  member: 'Member',
  leftOut: 'Takes no part',
  passedBy: 'Disabled',
  outside: 'Not part of this run',
  asked: 'Answers in runs',
  simulated: 'simulated',
  busy: 'busy',
  disabled: 'disabled',
  noAgent: 'no agent',
  modelEnded: 'model ended',
  next: 'next',
  queue: (position) => `no. ${position}`,
  duration: (ms) => durationText(ms, 'en'),
  tokens: (count) => `${count} tok.`,
  round: (number, of) => (of === null ? `round ${number}` : `round ${number} of ${of}`),
  link: () => '',
  tools: ({ toolUse }) => (toolUse ? `read ${toolUse.read}` : ''),
  marks: ({ marks = [] }) => marks.join(', '),
  cost: ({ amounts }) => amounts.map(({ currency, micros }) => `${micros} ${currency}`).join(' + '),
  tries: (count) => `tries: ${count}`,
  dialog: { placeholder: 'Describe a task', to: 'To', noTarget: 'No agent', send: 'Send' },
  failure: ({ code }) => `sentence for ${code}`,
  groupName: (node) => node.title,
  nodeTitle: (node) => node.title,
  nodeDescription: (node) => node.description ?? '',
};
const node: CanvasNode = {
  id: 'n',
  type: 'agent',
  title: 'Lead',
  description: 'Plans',
  role: 'TechnicalArchitect',
  x: 0,
  y: 0,
  serverAgentId: 's',
};
const agent = (providerType: string, status = 1) =>
  ({ status, description: '', apiConfiguration: { providerType, model: 'gpt-4' } }) as unknown as Agent;
const step = (changes: Partial<StepRun>) =>
  ({ model: 'gpt-4o', simulated: false, attempts: 1, result: null, error: null, ...changes }) as StepRun;
const view = (changes: Partial<CardView>): CardView => ({ ...idleCard, ...changes });

test('G3.03 a card says what its agent does with tools while it works or waits for a decision', () => {
  const toolUse: StepRun['toolUse'] = { calls: 3, read: 2, written: 0, current: { tool: 'read_file', state: 'pending' } };
  const mark = (state: CardView['state']) => cardContent(node, view({ state, step: step({ toolUse }) }), undefined, texts, 0).mark;
  expect([mark('active'), mark('waiting'), mark('done'), mark('failed')]).toEqual(['read 2', 'read 2', '', '']);
});

test('M3.30 the card of an agent without a model says before a run that it is simulated', () => {
  const without = {
    ...agent('openai'),
    apiConfiguration: { providerType: 'openai', model: 'gpt-4', willSimulate: true },
  } as unknown as Agent;
  expect(cardContent(node, undefined, without, texts, 0).model).toBe(texts.simulated);
  expect(cardContent(node, view({ step: step({}) }), without, texts, 0).model).toBe('gpt-4o');
});

test('M3.26 the card of an agent whose model has ended says so before a run, as a warning; one that ends later, or is simulated, does not', () => {
  const answeredBy = (configuration: object) =>
    ({ ...agent('openai'), apiConfiguration: { providerType: 'openai', model: 'gpt-4', ...configuration } }) as unknown as Agent;
  const now = Date.parse('2026-11-30T12:00:00Z');
  const shown = (configuration: object, state: CardView['state'] = 'idle') => {
    const { model, mark, isLacking } = cardContent(node, view({ state }), answeredBy(configuration), texts, now);
    return { model, mark, isLacking };
  };
  const ended = { on: '2026-10-23', instead: 'gpt-6.1-sol' };
  expect(shown({ ended })).toEqual({ model: 'gpt-4', mark: 'model ended', isLacking: true });
  expect(shown({ ended: { on: '2026-11-30' } })).toMatchObject({ mark: 'model ended' });
  expect(shown({ ended: { on: '2026-12-01' } })).toEqual({ model: 'gpt-4', mark: '', isLacking: false });
  expect(shown({ ended, willSimulate: true })).toEqual({ model: texts.simulated, mark: '', isLacking: false });
  expect(shown({ ended }, 'active')).toMatchObject({ mark: '', isLacking: false });
});

test('M2.27 a card says what its result lacks, as a warning, beside the word "simulated"', () => {
  const done = (changes: Partial<StepRun>) => {
    const { simulated = false } = changes;
    return cardContent(node, view({ state: 'done', simulated, step: step({ result: 'x', ...changes }) }), undefined, texts, 0);
  };
  expect(done({ marks: ['cut', 'noFile'] })).toMatchObject({ state: 'done', word: 'Done', mark: 'cut, noFile', isLacking: true });
  expect(done({ marks: ['cut'], simulated: true }).mark).toBe('cut · simulated');
  expect(done({})).toMatchObject({ mark: '', isLacking: false });
  const works = view({ state: 'active', step: step({ marks: ['withoutTools'] }) });
  expect(cardContent(node, works, undefined, texts, 0)).toMatchObject({ mark: '', isLacking: false });
});

test('W3.03 a card shows its role, its purpose and its model', () => {
  expect(cardContent(node, undefined, agent('openai'), texts, 0)).toEqual({
    icon: 'architect',
    hue: 'sky',
    title: 'Lead',
    model: 'gpt-4',
    line: 'Plans',
    state: 'idle',
    word: 'Idle',
    mark: '',
    isLacking: false,
    figures: '',
    isDisabled: false,
    hasState: true,
  });
});

test('R25.01 a card says where the simulated provider writes', () => {
  expect(cardContent(node, undefined, agent('simulated'), texts, 0).model).toBe('simulated');
  const done = view({ state: 'done', simulated: true, step: step({ simulated: true, result: 'Wrote it.' }) });
  const content = cardContent(node, done, agent('openai'), texts, 0);
  expect(content.mark).toBe('simulated');
  expect(content.model).toBe('simulated');
  const active = view({ state: 'active', simulated: true, step: step({ simulated: true, model: null }) });
  expect(cardContent(node, active, agent('openai'), texts, 0)).toMatchObject({ mark: 'simulated', model: 'simulated' });
  expect(cardContent(node, view({ state: 'done', step: step({ result: 'x' }) }), agent('openai'), texts, 0).mark).toBe('');
});

test('W4.01 a working card shows the time so far, a waiting one its place, a completed one its duration', () => {
  const now = Date.parse('2026-05-01T10:00:26.900Z');
  const active = view({ state: 'active', startedAt: '2026-05-01T10:00:00.000Z' });
  expect(cardContent(node, active, undefined, texts, now).figures).toBe('0:26');
  expect(cardContent(node, view({ state: 'waiting', position: 5 }), undefined, texts, now).figures).toBe('no. 5');
  expect(cardContent(node, view({ state: 'done', durationMs: 43_000, totalTokens: 3_340 }), undefined, texts, now).figures).toBe(
    '0:43 · 3340 tok.',
  );
});

test('W4.01 a clock that runs ahead of the server shows no negative time', () => {
  const active = view({ state: 'active', startedAt: '2026-05-01T10:00:05.000Z' });
  expect(cardContent(node, active, undefined, texts, Date.parse('2026-05-01T10:00:00.000Z')).figures).toBe('0:00');
});

test('W4.01 a completed card shows its result, a failed one the reason', () => {
  const done = view({ state: 'done', step: step({ result: '# Plan\n\n**Three** steps, see [the plan](x).\n\nMore.' }) });
  expect(cardContent(node, done, undefined, texts, 0).line).toBe('Three steps, see the plan.');
  const failed = view({ state: 'failed', step: step({ attempts: 3, error: { code: 'model_timeout', message: 'slow' } }) });
  const content = cardContent(node, failed, undefined, texts, 0);
  expect(content.line).toBe('sentence for model_timeout');
  expect(content.figures).toBe('tries: 3');
});

test('G4.12 a card shows what its step has cost, also when that failed or was stopped', () => {
  const cost = { amounts: [{ currency: 'USD', micros: 7 }] };
  const figures = (state: CardView['state'], changes: Partial<StepRun> = {}) =>
    cardContent(node, view({ state, step: step({ cost, ...changes }) }), undefined, texts, 0).figures;
  expect([figures('done'), figures('failed'), figures('stopped')]).toEqual(['7 USD', '7 USD', '7 USD']);
  expect([figures('failed', { attempts: 3 }), figures('stopped', { cost: { amounts: [] } })]).toEqual(['tries: 3 · 7 USD', '']);
});

test('W2.11 the card of an inactive agent is drawn faint', () => {
  const content = cardContent(node, undefined, agent('openai', 0), texts, 0);
  expect(content.isDisabled).toBe(true);
  expect(content.figures).toBe('disabled');
});

test('W4.01 durations read as minutes and seconds, hours in front where there are any', () => {
  expect([0, 59_999, 725_000, 3_729_000].map(clock)).toEqual(['0:00', '0:59', '12:05', '1:02:09']);
});

test('W4.01 the first words of an answer skip headings, code and rules', () => {
  expect(firstLine('# Result\n\n---\n```ts path=a.ts\nconst a = 1;\n```\n- Wrote `a.ts`')).toBe('Wrote a.ts');
  expect(firstLine('## Only a heading')).toBe('Only a heading');
  expect(firstLine('Use `a || b`')).toBe('Use a || b');
  expect(firstLine('| --- | :-: |\n| Step | Time |')).toBe('Step Time');
  expect(firstLine('| Check | State |\n| --- | --- |\n| send | passed |\n\nNothing is missing.')).toBe('Nothing is missing.');
  expect(firstLine('| Check | State |\n| --- | --- |')).toBe('Check State');
  expect(firstLine('')).toBe('');
});

test('W3.03 a card of a user says so in place of a state', () => {
  const person: CanvasNode = { ...node, role: 'user', isUser: true };
  expect(cardContent(person, undefined, undefined, texts, 0)).toMatchObject({ word: 'Member', hasState: false });
  expect(cardContent(person, view({ state: 'waiting', position: 2 }), undefined, texts, 0)).toMatchObject({
    word: 'Waiting',
    hasState: true,
  });
});

test('G2.01 a card of a person whom a run asks says so before the run', () => {
  const asked: CanvasNode = { ...node, role: 'user', isUser: true, step: { person: { question: '', inputs: [] } } };
  expect(cardContent(asked, undefined, undefined, texts, 0)).toMatchObject({ word: 'Answers in runs', hasState: false });
  expect(cardContent(asked, view({ state: 'waiting' }), undefined, texts, 0).word).toBe('Waiting');
});

test('G2.01 a card of a person shows the beginning of its question where it has no description', () => {
  const question = '## Approval\n\nMay this be **shipped**?';
  const asked: CanvasNode = { ...node, description: '', role: 'user', isUser: true, step: { person: { question, inputs: [] } } };
  expect(cardContent(asked, undefined, undefined, texts, 0).line).toBe('May this be shipped?');
  expect(cardContent({ ...asked, description: 'The owner' }, undefined, undefined, texts, 0).line).toBe('The owner');
});

test('W3.03 a card without an agent says so, once the agents are known', () => {
  expect(cardContent(node, undefined, null, texts, 0).figures).toBe('no agent');
  expect(cardContent(node, undefined, undefined, texts, 0).figures).toBe('');
});

test('G1.03 G1.04 a card shows the round of its review loop, and how many items of its list have ended', () => {
  const figures = (changes: Partial<CardView>, now = 0) => cardContent(node, view(changes), undefined, texts, now).figures;
  const startedAt = new Date(0).toISOString();
  const items = { done: 7, total: 20 };
  expect(figures({ state: 'active', startedAt, round: 2 }, 26_000)).toBe('round 2 · 0:26');
  expect(figures({ state: 'active', startedAt, items }, 26_000)).toBe('7/20 · 0:26');
  expect(figures({ state: 'active', startedAt, round: 2, items }, 26_000)).toBe('round 2 · 7/20 · 0:26');
  expect(figures({ state: 'waiting', position: 3, items })).toBe('7/20');
  expect(figures({ state: 'done', durationMs: 26_000, totalTokens: 10, round: 3 })).toBe('round 3');
  expect(figures({ state: 'done', durationMs: 26_000, round: 2, rounds: 3 })).toBe('round 2 of 3');
  expect(figures({ state: 'done', durationMs: 26_000, totalTokens: 10 })).toBe('0:26 · 10 tok.');
});

test('D4.26 a disabled card is grey, pale and says so, until it has taken part in the shown run', () => {
  const disabled: CanvasNode = { ...node, disabled: true };
  const grey = { word: 'Disabled', hue: 'slate', isDisabled: true };
  expect(cardContent(disabled, undefined, undefined, texts, 0)).toMatchObject(grey);
  expect(cardContent(disabled, leftOutCard, undefined, texts, 0)).toMatchObject(grey);
  expect(cardContent(disabled, view({ state: 'done' }), undefined, texts, 0)).toMatchObject({
    word: 'Done',
    hue: 'sky',
    isDisabled: false,
  });
});

test('D1.20 a card that the next run leaves out is grey, pale and says so', () => {
  const shown = cardContent(node, leftOutCard, undefined, texts, 0);
  expect(shown).toMatchObject({ word: 'Takes no part', hue: 'slate', isDisabled: true });
  expect(cardContent(node, undefined, undefined, texts, 0)).toMatchObject({ word: 'Idle', hue: 'sky', isDisabled: false });
});

test('D1.31 a card that is not part of the shown run says so', () => {
  expect(cardContent(node, outsideCard, undefined, texts, 0)).toMatchObject({
    word: 'Not part of this run',
    hue: 'slate',
    isDisabled: true,
  });
});
