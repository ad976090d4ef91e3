import { expect, test } from 'vitest';
import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import en from '../../../../locales/en/content/goals.json' with { type: 'json' };
import enNodes from '../../../../locales/en/content/nodes.json' with { type: 'json' };
import enSeed from '../../../../locales/en/content/seed.json' with { type: 'json' };
import ru from '../../../../locales/ru/content/goals.json' with { type: 'json' };
import ruNodes from '../../../../locales/ru/content/nodes.json' with { type: 'json' };
import ruSeed from '../../../../locales/ru/content/seed.json' with { type: 'json' };
import { countNodes } from '../../../../src/app/workspace/frame/node-counts.ts';
import { isAgain, startChoice } from '../../../../src/app/workspace/run/start/start-choice.ts';

const agent: CanvasNode = { id: 'agent', type: 'agent', title: 'Developer', x: 0, y: 0 };
const dialog = (id: string, goal = '', y = 0): CanvasNode => ({ id, type: 'dialog', title: id, goal, x: 0, y });
const canvas = (...nodes: CanvasNode[]) => ({ nodes: Object.fromEntries(nodes.map((node) => [node.id, node])), connections: {} });
const nothing = new Set<string>();
const noDraft = () => '';
type Hints = Parameters<typeof startChoice>[2];
const choiceOf = (document: CanvasDocument, selected: Hints['selected'], draftOf: Hints['draftOf'], others: Partial<Hints> = {}) =>
  startChoice(
    document,
    countNodes(document, () => true),
    { chosen: null, last: null, ...others, selected, draftOf },
  );

test('R24.01 start runs the only dialog with its goal as the task', () => {
  expect(choiceOf(canvas(agent, dialog('a', 'Build it')), nothing, noDraft)).toEqual({
    kind: 'run',
    dialogNodeId: 'a',
    task: 'Build it',
  });
});

test('R24.01 the text in the dialog goes before its goal', () => {
  expect(choiceOf(canvas(agent, dialog('a', 'Build it')), nothing, () => ' Mend it ')).toMatchObject({ task: 'Mend it' });
});

test('R24.01 a dialog without text and goal asks for the task', () => {
  expect(choiceOf(canvas(agent, dialog('a')), nothing, () => '  ')).toEqual({ kind: 'askTask', dialogNodeId: 'a' });
});

test('D1.09 the goal that a new dialog comes with is a hint in the box and never the task; a goal that a person wrote is the task', () => {
  for (const [goals, nodes, seed] of [
    [en, enNodes, enSeed],
    [ru, ruNodes, ruSeed],
  ] as const) {
    expect(goals).toEqual({ placed: nodes.goal, seeded: seed.dialog.goal });
    for (const goal of Object.values(goals)) {
      expect(choiceOf(canvas(agent, dialog('a', goal)), nothing, noDraft)).toEqual({ kind: 'askTask', dialogNodeId: 'a', hint: goal });
      expect(choiceOf(canvas(agent, dialog('a', goal)), nothing, () => 'Mend it')).toMatchObject({ kind: 'run', task: 'Mend it' });
      expect(choiceOf(canvas(agent, dialog('a', `${goal} for a shop`)), nothing, noDraft)).toMatchObject({ kind: 'run' });
    }
  }
});

test('R24.01 the selected one of several dialogs runs', () => {
  const choice = choiceOf(canvas(agent, dialog('a', 'One'), dialog('b', 'Two')), new Set(['b', 'agent']), noDraft);
  expect(choice).toEqual({ kind: 'run', dialogNodeId: 'b', task: 'Two' });
});

test('R24.01 of several dialogs without a selection, Start takes the chosen one, else the only one with a draft, the last run’s, the first by position', () => {
  const three = canvas(agent, dialog('low', 'One', 400), dialog('high', 'Two', 0), dialog('middle', 'Three', 200));
  const last = { dialogNodeId: 'middle', task: 'Build it once' };
  const begins = (draftsOf: readonly string[], others: Partial<Hints> = {}) => {
    const choice = choiceOf(three, nothing, (id) => (draftsOf.includes(id) ? `Draft of ${id}` : ' '), others);
    return 'dialogNodeId' in choice ? choice.dialogNodeId : null;
  };
  expect(begins(['low', 'middle'], { chosen: 'high', last })).toBe('high');
  expect(begins(['low'], { chosen: 'gone', last })).toBe('low');
  expect(begins(['low', 'high'], { last })).toBe('middle');
  expect(begins([], { last })).toBe('middle');
  expect(begins(['low', 'middle'])).toBe('high');
  expect(begins([])).toBe('high');
});

test('R24.01 of several selected dialogs one starts by the same order, and no other one', () => {
  const three = canvas(agent, dialog('a', 'One'), dialog('b', 'Two', 100), dialog('c', 'Three', 200));
  const selected = new Set(['b', 'c']);
  expect(choiceOf(three, selected, (id) => (id === 'a' ? 'Mend it' : ''))).toMatchObject({ dialogNodeId: 'b' });
  expect(choiceOf(three, selected, noDraft, { chosen: 'a', last: { dialogNodeId: 'c', task: 'Again' } })).toMatchObject({
    dialogNodeId: 'c',
    task: 'Again',
  });
});

test('R24.01 without a dialog the task of the whole canvas is asked for', () => {
  expect(choiceOf(canvas(agent), nothing, noDraft)).toEqual({ kind: 'askTask', dialogNodeId: null });
});

test('W4.03 a canvas without agents has nothing to start, users do not count', () => {
  expect(choiceOf(canvas(dialog('a', 'Build it'), { ...agent, id: 'user', isUser: true }), nothing, noDraft)).toEqual({
    kind: 'noAgents',
  });
});

test('R24.01 run again takes the last task and its dialog; an edited text or another selected dialog goes before it', () => {
  const last = { dialogNodeId: 'b', task: 'Build it once' };
  const two = canvas(agent, dialog('a', 'One'), dialog('b', 'Two'));
  expect(choiceOf(two, nothing, noDraft, { last })).toEqual({ kind: 'run', dialogNodeId: 'b', task: 'Build it once', again: true });
  expect(choiceOf(two, nothing, (id) => (id === 'b' ? 'Build it anew' : ''), { last })).toEqual({
    ...{ kind: 'run', dialogNodeId: 'b', task: 'Build it anew' },
  });
  expect(choiceOf(two, new Set(['a']), noDraft, { last })).toEqual({ kind: 'run', dialogNodeId: 'a', task: 'One' });
  expect(choiceOf(canvas(agent), nothing, noDraft, { last: { dialogNodeId: null, task: 'All of it' } })).toEqual({
    ...{ kind: 'askTask', dialogNodeId: null, task: 'All of it' },
  });
});

test('R24.01 the menu of an ended run says Run again only where the same task begins: with a draft, another dialog or a start card it says Start', () => {
  const last = { dialogNodeId: 'b', task: 'Build it once' };
  const two = canvas(agent, dialog('a', 'One'), dialog('b', 'Two'));
  const again = (...parts: Parameters<typeof choiceOf>) => isAgain(choiceOf(...parts));
  expect(again(two, nothing, noDraft, { last })).toBe(true);
  expect(again(two, nothing, (id) => (id === 'b' ? 'Build it anew' : ''), { last })).toBe(false);
  expect(again(two, new Set(['a']), noDraft, { last })).toBe(false);
  expect(again(canvas(agent), nothing, noDraft, { last: { dialogNodeId: null, task: 'All of it' } })).toBe(true);
  expect(again(canvas(agent), nothing, noDraft)).toBe(false);
  expect(isAgain({ kind: 'askTask', dialogNodeId: null, startNodeId: 'start', task: 'All of it' })).toBe(false);
});

test('R24.01 a selected start node runs its dialog, else the agents behind the start node', () => {
  const start: CanvasNode = { id: 'start', type: 'start', title: 'Start', x: 0, y: 0 };
  const link = (to: string) => ({
    [to]: { id: to, from: { agentId: 'start', port: 'out' as const }, to: { agentId: to, port: 'in' as const } },
  });
  const { nodes } = canvas(agent, start, dialog('a', 'One'), dialog('b', 'Two'));
  const selected = new Set(['start']);
  expect(choiceOf({ nodes, connections: link('b') }, selected, noDraft)).toEqual({ kind: 'run', dialogNodeId: 'b', task: 'Two' });
  expect(choiceOf({ nodes, connections: link('agent') }, selected, noDraft)).toEqual({
    ...{ kind: 'askTask', dialogNodeId: null, startNodeId: 'start' },
  });
});
