import { expect, test } from 'vitest';
import { playGraph, type ShortGraph } from '../../../support/run-graph/play-graph.ts';

const orders = ['a', 'b', 'c', 'd', 'e', 'f'];
const failed = { status: 'failed' as const };
const choice = (label: string) => ({ choice: label });
const listOf = (many: number) => ({ result: JSON.stringify(Array.from({ length: many }, (_, at) => `item ${at + 1}`)) });
const list = (onFailure: 'stop' | 'goOn' | 'skip') => [{ id: 'g', onFailure }];

/** Plays a run in several orders, and expects the same each time. */
function play(graph: ShortGraph, outcomes: Parameters<typeof playGraph>[1] = {}) {
  const [first, ...others] = orders.map((order) => playGraph(graph, outcomes, { order }));
  for (const other of others) {
    expect(other.statuses).toEqual(first?.statuses);
    expect(other.inputs).toEqual(first?.inputs);
  }
  return first as ReturnType<typeof playGraph>;
}

const diamond: ShortGraph = { links: ['a>b', 'a>c', 'c>d', 'b>d'] };

test('a join begins once, after all steps that lead to it have ended', () => {
  for (const order of orders) {
    const { begun } = playGraph(diamond, {}, { order });
    expect(begun.toSorted()).toEqual(['a', 'b', 'c', 'd']);
    expect(begun.at(-1)).toBe('d');
  }
});

test('a join gets results in the order of the links, never in the order of finishing', () => {
  expect(play(diamond).inputs.d).toEqual(['a', 'c', 'b']);
});

test('D1.06 a button of a person that no link has leads on along a link without a label, and else ends the loop', () => {
  const person = { question: '', inputs: [], buttons: ['Approve'] };
  const change = { label: 'Change', maxRounds: 3 };
  const onward = play({ links: ['a>p', ['p>a', change], 'p>b'], steps: { p: { person } } }, { p: choice('Approve') });
  expect(onward.statuses).toEqual({ a: 'completed', p: 'completed', b: 'completed' });
  const last = play({ links: ['a>p', ['p>a', change]], steps: { p: { person } } }, { p: choice('Change'), 'p@1': choice('Approve') });
  expect(last.statuses).toEqual({ a: 'completed', p: 'completed', 'a@1': 'completed', 'p@1': 'completed' });
});

test('a join is skipped, with all that follows it, if all of its links are dead', () => {
  const links: ShortGraph['links'] = [['a>b', { label: 'yes' }], ['a>c', { label: 'no' }], 'b>d', 'd>e', 'c>f'];
  expect(play({ links }, { a: choice('no') }).statuses).toEqual({
    ...{ a: 'completed', b: 'skipped', c: 'completed', d: 'skipped', e: 'skipped', f: 'completed' },
  });
});

test('a join does not wait for a branch that was not taken', () => {
  const links: ShortGraph['links'] = [['a>b', { label: 'yes' }], ['a>c', { label: 'no' }], 'b>d', 'c>d'];
  const { statuses, inputs } = play({ links }, { a: choice('no') });
  expect(statuses.d).toBe('completed');
  expect(inputs.d).toEqual(['a', 'c']);
});

test('only one of the two sides of a condition runs', () => {
  const links: ShortGraph['links'] = [['a>b', { label: 'yes' }], 'a>c'];
  expect(play({ links }, { a: choice('yes') }).statuses).toMatchObject({ b: 'completed', c: 'skipped' });
  expect(play({ links }, { a: { choice: null } }).statuses).toMatchObject({ b: 'skipped', c: 'completed' });
});

test('a step sees only the results of the branch that leads to it', () => {
  const { inputs } = play({ links: ['a>b', 'b>c', 'a>d', 'd>e'] });
  expect(inputs.c).toEqual(['a', 'b']);
  expect(inputs.e).toEqual(['a', 'd']);
});

test('branches run at the same time, up to the limit', () => {
  const { begun } = playGraph({ links: ['a>b', 'a>c', 'a>d'] }, {}, { maxParallel: 1 });
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

const review: ShortGraph = { links: ['s>a', 'a>b', ['b>a', { label: 'again', maxRounds: 3 }], ['b>e', { label: 'good' }]] };

test('a review loop runs again until it is accepted, and each round sees the one before', () => {
  const { statuses, inputs } = play(review, { b: choice('again'), 'b@1': choice('good') });
  expect(statuses).toEqual({ s: 'completed', a: 'completed', b: 'completed', 'a@1': 'completed', 'b@1': 'completed', e: 'completed' });
  expect(inputs['a@1']).toEqual(['s', 'a', 'b']);
  expect(inputs['b@1']).toEqual(['s', 'a', 'b', 'a@1']);
  expect(inputs.e).toEqual(['s', 'a@1', 'b@1']);
});

test('a loop whose rounds are used up hands on its result, or fails the run where its link says so', () => {
  const { statuses, failure } = play(review, { b: choice('again') });
  expect([statuses['b@2'], statuses['b@3'], statuses.e, failure]).toEqual(['completed', undefined, 'completed', null]);
  const links = review.links.map((link): ShortGraph['links'][number] =>
    link[0] === 'b>a' ? ['b>a', { label: 'again', maxRounds: 2, atLimit: 'fail' }] : link,
  );
  expect(play({ links }, { b: choice('again') }).failure).toBe('loop_limit');
});

test('a join beside a loop begins once, after the last round', () => {
  const { statuses, begun } = play({ links: [...review.links, 's>x', 'x>j', 'e>j', 'a>j'] }, { b: choice('again'), 'b@2': choice('good') });
  expect(statuses.j).toBe('completed');
  expect(begun.at(-1)).toBe('j');
});

test('an inner loop begins at its first round again in each round of the outer one', () => {
  const links: ShortGraph['links'] = [
    'o>a',
    'a>b',
    ['b>a', { label: 'again', maxRounds: 2 }],
    'b>c',
    ['c>o', { label: 'all again', maxRounds: 2 }],
    'c>e',
  ];
  const { statuses, inputs } = play({ links }, { b: choice('again'), 'b@1': {}, 'b@33': {}, c: choice('all again'), 'c@1': {} });
  expect(Object.keys(statuses).sort()).toEqual(
    ['a', 'a@1', 'a@32', 'a@33', 'b', 'b@1', 'b@32', 'b@33', 'c', 'c@1', 'e', 'o', 'o@1'].sort(),
  );
  expect(inputs['o@1']).toEqual(['o', 'a@1', 'b@1', 'c']);
  expect(inputs['a@33']).toEqual(['o@1', 'a@32', 'b@32']);
});

const each = (onFailure: 'stop' | 'goOn' | 'skip' = 'stop'): ShortGraph => ({
  links: ['p>s', 's>x', 'x>y', 'y>e'],
  steps: { x: { groupId: 'g' }, y: { groupId: 'g' } },
  groups: list(onFailure),
});

test('a group runs once for each item, and hands on all results in the order of the items, with what led to them', () => {
  const { statuses, inputs, begun } = play(each(), { s: listOf(7) });
  expect(Object.keys(statuses)).toHaveLength(3 + 14);
  expect(inputs['y#3']).toEqual(['p', 's', 'x#3']);
  expect(inputs.e).toEqual(['p', 's', 'x#1 x#2 x#3 x#4 x#5 x#6 x#7', 'y#1 y#2 y#3 y#4 y#5 y#6 y#7']);
  expect(begun.at(-1)).toBe('e');
});

test('an empty list skips the group, and no list or one that is too long fails the run', () => {
  expect(play(each(), { s: { result: '[]' } }).statuses).toMatchObject({ x: 'skipped', y: 'skipped', e: 'skipped' });
  expect(play(each(), { s: { result: 'Nothing to list.' } }).failure).toBe('list_missing');
  expect(playGraph(each(), { s: listOf(100) }).failure).toBeNull();
  expect(play(each(), { s: listOf(101) }).failure).toBe('list_too_long');
});

test('G1.04 a group behind a person who writes no list works through the list that the person has seen', () => {
  const graph = each();
  const person = { question: 'Right?', buttons: ['Approve'], inputs: [] };
  const asked: ShortGraph = { ...graph, links: ['p>s', 's>boss', 'boss>x', 'x>y', 'y>e'], steps: { ...graph.steps, boss: { person } } };
  expect(playGraph(asked, { s: listOf(2), boss: { result: 'Approve' } }).items).toEqual({
    'x#1': 'item 1',
    'y#1': 'item 1',
    'x#2': 'item 2',
    'y#2': 'item 2',
  });
  expect(playGraph(asked, { s: listOf(2), boss: { result: '["mine"]' } }).items).toEqual({ 'x#1': 'mine', 'y#1': 'mine' });
  expect(playGraph(asked, { s: { result: 'Nothing.' }, boss: { result: 'Approve' } }).failure).toBe('list_missing');
});

test('D4.11 a group that no step leads into works through the items of the task', () => {
  const graph: ShortGraph = { links: ['x>y', 'y>e'], steps: { x: { groupId: 'g' }, y: { groupId: 'g' } }, groups: list('stop') };
  const { statuses, items, inputs } = playGraph(graph, {}, { task: 'Translate:\n- one\n- two' });
  expect(items).toEqual({ 'x#1': 'one', 'y#1': 'one', 'x#2': 'two', 'y#2': 'two' });
  expect(inputs.e).toEqual(['x#1 x#2', 'y#1 y#2']);
  expect(Object.values(statuses)).toEqual(Array(5).fill('completed'));
  expect(playGraph(graph, {}, { task: '[]' }).statuses).toEqual({ x: 'skipped', y: 'skipped', e: 'skipped' });
  const tooLong = Array.from({ length: 101 }, (_, at) => `item ${at}`).join('\n');
  expect(playGraph(graph, {}, { task: tooLong }).failure).toBe('list_too_long');
});

test('D4.11 a review loop around a group that no step leads into works through the task again', () => {
  const graph: ShortGraph = {
    links: ['x>r', ['r>x', { label: 'again', maxRounds: 3 }], ['r>e', { label: 'good' }]],
    steps: { x: { groupId: 'g' } },
    groups: list('stop'),
  };
  const { statuses, items } = playGraph(graph, { r: choice('again'), 'r@1': choice('good') }, { task: '1. one\n2. two' });
  expect(items).toEqual({ 'x#1': 'one', 'x#2': 'two', 'x@1#1': 'one', 'x@1#2': 'two' });
  expect(statuses.e).toBe('completed');
});

test('a failed item stops the run, or leaves the others as they are', () => {
  expect(playGraph(each('stop'), { s: listOf(3), 'x#2': failed }).failure).toBe('step');
  for (const onFailure of ['goOn', 'skip'] as const) {
    const { statuses, inputs, failure } = play(each(onFailure), { s: listOf(3), 'x#2': failed });
    expect(failure).toBeNull();
    expect(statuses).toMatchObject({ 'x#2': 'failed', 'y#2': 'skipped', e: 'completed' });
    expect(inputs.e).toEqual(['p', 's', 'x#1 x#3', 'y#1 y#3']);
  }
});

test('a step behind a group with a choice sees only the items that led to it', () => {
  const graph: ShortGraph = {
    links: ['s>x', ['x>a', { label: 'good' }], ['x>b', { label: 'bad' }]],
    steps: { x: { groupId: 'g' } },
    groups: list('stop'),
  };
  const { inputs } = play(graph, { s: listOf(3), x: choice('good'), 'x#2': choice('bad') });
  expect(inputs).toMatchObject({ a: ['s', 'x#1 x#3'], b: ['s', 'x#2'] });
});

test('a group may work through the results of another group', () => {
  const steps = { x: { groupId: 'g' }, y: { groupId: 'h' } };
  const { statuses } = play(
    { links: ['s>x', 'x>y'], steps, groups: [...list('stop'), { id: 'h', onFailure: 'stop' }] },
    { s: listOf(3), x: { result: 'one' } },
  );
  expect(statuses).toMatchObject({ 'y#1': 'completed', 'y#2': 'completed', 'y#3': 'completed' });
});

test('a group inside a loop gets a new list in each round', () => {
  const graph: ShortGraph = {
    links: ['s>x', 'x>r', ['r>s', { label: 'again', maxRounds: 3 }], 'r>e'],
    steps: { x: { groupId: 'g' } },
    groups: list('stop'),
  };
  const { statuses, inputs } = play(graph, { s: listOf(3), 's@1': listOf(2), r: choice('again'), 'r@1': {} });
  expect(Object.keys(statuses).filter((name) => name.startsWith('x'))).toEqual(
    expect.arrayContaining(['x#1', 'x#2', 'x#3', 'x@1#1', 'x@1#2']),
  );
  expect(statuses['x@1#3']).toBeUndefined();
  expect(inputs['s@1']).toEqual(['s', 'x#1 x#2 x#3', 'r']);
  expect(inputs['r@1']).toEqual(['s@1', 's', 'x#1 x#2 x#3', 'r', 'x@1#1 x@1#2']);
  expect(inputs.e).toEqual(['s@1', 'x@1#1 x@1#2', 'r@1']);
});

test('a loop inside a group has rounds of its own for each item', () => {
  const graph: ShortGraph = {
    links: ['s>x', 'x>y', ['y>x', { label: 'again', maxRounds: 3 }], 'y>e'],
    steps: { x: { groupId: 'g' }, y: { groupId: 'g' } },
    groups: list('stop'),
  };
  const { statuses, inputs } = play(graph, { s: listOf(2), 'y#2': choice('again') });
  expect(statuses).toMatchObject({ 'y#1': 'completed', 'y@1#2': 'completed' });
  expect(statuses['x@1#1']).toBeUndefined();
  expect(inputs.e).toEqual(['s', 'x#1 x@1#2', 'y#1 y@1#2']);
});

test('a list that waits for a group with a loop begins after the last round of all items', () => {
  const graph: ShortGraph = {
    links: ['s>x', 'x>y', ['y>x', { label: 'again', maxRounds: 3 }], 'x>z'],
    steps: { x: { groupId: 'g' }, y: { groupId: 'g' }, z: { groupId: 'h' } },
    groups: [...list('stop'), { id: 'h', onFailure: 'stop' }],
  };
  const { statuses } = play(graph, { s: listOf(2), 'y#2': choice('again'), x: { result: 'one' } });
  expect(statuses).toMatchObject({ 'x@1#2': 'completed', 'z#1': 'completed', 'z#2': 'completed' });
});

test('a failure ends the run, goes on without a result, or takes the link for failures', () => {
  expect(playGraph(diamond, { b: failed }).failure).toBe('step');
  const goesOn = play({ ...diamond, steps: { b: { onFailure: 'goOn' } } }, { b: failed });
  expect([goesOn.statuses.d, goesOn.inputs.d]).toEqual(['completed', ['a', 'c']]);
  const withLink: ShortGraph = { links: ['a>b', ['a>f', { onFailure: true }], 'b>j', 'f>j'] };
  expect(play(withLink, { a: failed }).statuses).toEqual({ a: 'failed', b: 'skipped', f: 'completed', j: 'completed' });
  expect(play(withLink).statuses).toEqual({ a: 'completed', b: 'completed', f: 'skipped', j: 'completed' });
});

test('a step that begins with the first result cuts off what leads only to it', () => {
  const graph: ShortGraph = { links: ['a>b', 'a>c', 'c>d', 'b>w', 'd>w', 'c>x'], steps: { w: { firstWins: true } } };
  for (const order of orders) {
    const { statuses, inputs, begun } = playGraph(graph, {}, { order });
    expect(begun.filter((name) => name === 'w')).toHaveLength(1);
    expect(inputs.w?.length).toBeGreaterThan(0);
    expect(statuses).toMatchObject({ w: 'completed', c: 'completed', x: 'completed' });
    expect(['completed', 'cancelled', 'skipped']).toContain(statuses.b);
  }
  const { statuses } = playGraph(graph, {}, { maxParallel: 1 });
  expect(statuses).toMatchObject({ b: 'completed', w: 'completed', d: 'skipped' });
});

test('too many runs of steps fail the run', () => {
  expect(playGraph(each(), { s: listOf(10) }, { maxRuns: 23 }).failure).toBeNull();
  expect(playGraph(each(), { s: listOf(10) }, { maxRuns: 22 }).failure).toBe('too_many_steps');
  expect(playGraph(diamond, {}, { maxRuns: 3 }).failure).toBe('too_many_steps');
});
