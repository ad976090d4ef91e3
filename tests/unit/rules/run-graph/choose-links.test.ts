import { expect, test } from 'vitest';
import type { TestVerdict } from '../../../../contract/executions/test-run.ts';
import {
  buttonsOf,
  caseByTests,
  chosenLabel,
  hasOtherwise,
  holds,
  labelsOf,
  testsFiles,
  testsTests,
} from '../../../../rules/run-graph/choose-links.ts';
import { listItems, taskItems } from '../../../../rules/run-graph/list-items.ts';
import { compiled, type ShortGraph } from '../../../support/run-graph/play-graph.ts';

const noFiles = { hasFile: () => false, tests: null };

test('an agent chooses among the labels of its links, with those that lead back, without those for failures', () => {
  const graph = compiled({
    links: [
      'a>b',
      ['b>a', { label: 'again', maxRounds: 2 }],
      ['b>c', { label: 'good' }],
      ['b>d', { label: 'good' }],
      ['b>e', { onFailure: true }],
    ],
  });
  expect(labelsOf(graph, 'b')).toEqual(['good', 'again']);
  expect(hasOtherwise(graph, 'b')).toBe(false);
  expect(labelsOf(graph, 'a')).toEqual([]);
});

test('D1.06 a person’s buttons are the card’s buttons and the labels of its links; a button without a link means the link without a label', () => {
  const buttons = (own: string[], links: ShortGraph['links']) =>
    buttonsOf(compiled({ links, steps: { p: { person: { question: '', inputs: [], buttons: own } } } }), 'p');
  const change = ['p>a', { label: 'Change', maxRounds: 3 }] as const;
  expect(buttons(['Approve'], ['a>p', [...change]])).toEqual(['Approve', 'Change']);
  expect(buttons(['Approve'], ['a>p', [...change], 'p>b'])).toEqual(['Approve', 'Change']);
  expect(buttons([], ['a>p', [...change], 'p>b'])).toEqual(['Change', null]);
  expect(buttons([], ['a>p', 'p>b'])).toEqual([]);
});

test('the first test that holds decides the case, else the link without one', () => {
  const graph = compiled({
    links: [['a>b', { test: { is: 'contains', value: 'err' } }], ['a>c', { test: { is: 'contains', value: 'error' } }], 'a>d'],
  });
  expect(caseByTests(graph, 'a', { result: 'An ERROR', ...noFiles })).toBe('a>b');
  expect(caseByTests(graph, 'a', { result: 'Fine', ...noFiles })).toBeNull();
  expect(caseByTests(graph, 'b', { result: 'Fine', ...noFiles })).toBeUndefined();
});

test('files matter only to a step with a test for one, also on a link that leads back', () => {
  const exists = { is: 'fileExists' as const, value: 'a.txt' };
  const graph = compiled({
    links: [['a>b', { test: { is: 'contains', value: 'a.txt' } }], 'a>c', 'b>d', ['d>b', { test: exists, maxRounds: 2 }], 'd>e'],
  });
  expect(['a', 'b', 'c', 'd'].filter((id) => testsFiles(graph, id))).toEqual(['d']);
});

test('tests compare texts, numbers, fields of JSON and files', () => {
  const json = {
    result: 'The score:\n```json\n{ "score": { "total": 7 }, "ok": true }\n```',
    ...{ hasFile: (path: string) => path === 'a/b.txt', tests: null },
  };
  expect(holds({ field: 'score.total', is: 'greater', value: '6.5' }, json)).toBe(true);
  expect(holds({ field: 'score.total', is: 'less', value: '7' }, json)).toBe(false);
  expect(holds({ field: 'ok', is: 'equals', value: 'TRUE' }, json)).toBe(true);
  expect(holds({ field: 'missing', is: 'equals', value: '' }, json)).toBe(false);
  expect(holds({ field: 'constructor', is: 'contains', value: '' }, json)).toBe(false);
  expect(holds({ is: 'greater', value: '1' }, { result: 'many', ...noFiles })).toBe(false);
  expect(holds({ is: 'fileExists', value: 'a/b.txt' }, json)).toBe(true);
  expect(holds({ is: 'fileExists', value: 'a/c.txt' }, json)).toBe(false);
});

test('the label is read from the last line of an answer', () => {
  const labels = ['accept', 'reject'];
  expect(chosenLabel('I would reject.\n\n**Accept.**\n', labels)).toBe('accept');
  expect(chosenLabel('Decision: reject', labels)).toBe('reject');
  expect(chosenLabel('I accept and reject it', labels)).toBeNull();
  expect(chosenLabel('', labels)).toBeNull();
});

test('a list is a JSON array, or the longest numbered list', () => {
  expect(listItems('["a", {"b": 1}]')).toEqual(['a', '{"b":1}']);
  expect(listItems('```json\n{ "items": ["a"] }\n```')).toEqual(['a']);
  expect(listItems('[]')).toEqual([]);
  expect(listItems('Plan:\n\n1. one\n2) two\n\nThat is all.')).toEqual(['one', 'two']);
  expect(listItems('1. one\r\n2. two\r\n')).toEqual(['one', 'two']);
  expect(listItems('No list.')).toBeNull();
});

test('text and lists between the numbers belong to the item before', () => {
  expect(listItems('1. one\nAbout one.\n\n2. two\n   - part\n   1. nested\n   2. nested too\n3. three\n\nThe end.')).toEqual([
    ...['one\nAbout one.', 'two\n- part\n1. nested\n2. nested too', 'three'],
  ]);
});

const passes = { is: 'testsPass' as const, value: '' };
const fails = { is: 'testsFail' as const, value: '' };
const tested = (tests: TestVerdict) => ({ result: 'All tests pass.', hasFile: () => false, tests });

test('C4.02 executed tests decide a link, and without any the link without a test is taken, whatever the answer says', () => {
  const graph = compiled({ links: ['a>b', ['b>a', { test: fails, maxRounds: 3 }], ['b>c', { test: passes }], 'b>d'] });
  const choice = (...[tests]: Parameters<typeof tested>) => caseByTests(graph, 'b', tested(tests));
  expect([choice('pass'), choice('fail'), choice(null)]).toEqual(['b>c', 'b>a', null]);
  expect(labelsOf(graph, 'b')).toEqual([]);
  expect([testsTests(graph, 'a'), testsTests(graph, 'b')]).toEqual([
    { any: false, needed: false },
    { any: true, needed: true },
  ]);
});

test('C4.02 links with a test of tests and a label follow the tests, and the label of the agent where none were executed', () => {
  const graph = compiled({
    links: ['a>b', ['b>a', { label: 'again', test: fails, maxRounds: 3 }], ['b>c', { label: 'good', test: passes }]],
  });
  const choice = (...[tests]: Parameters<typeof tested>) => caseByTests(graph, 'b', tested(tests));
  expect([choice('pass'), choice('fail'), choice(null)]).toEqual(['good', 'again', undefined]);
  expect(labelsOf(graph, 'b')).toEqual(['good', 'again']);
  expect(testsTests(graph, 'b')).toEqual({ any: true, needed: false });
  const partial = compiled({ links: ['a>b', ['b>c', { label: 'good', test: passes }], 'b>d'] });
  expect(caseByTests(partial, 'b', tested('fail'))).toBeNull();
});

test('C5.10 tests that could not begin take no link of theirs, and the label of the agent does not repeat the work either', () => {
  const back: ShortGraph['links'][number] = ['b>a', { label: 'again', test: fails, maxRounds: 3 }];
  const good: ShortGraph['links'][number] = ['b>c', { label: 'good', test: passes }];
  const graphs: ShortGraph['links'][] = [
    ['a>b', back, good],
    ['a>b', back, good, 'b>d'],
    ['a>b', ['b>a', { test: fails, maxRounds: 3 }], 'b>d'],
  ];
  for (const links of graphs) expect(caseByTests(compiled({ links }), 'b', tested('unstarted'))).toBeNull();
});

test('D4.11 the items of a task are read from its list as in an answer, else from its bulleted lines, else from its lines', () => {
  expect(taskItems('Translate:\n1. one\n2) two\n\nShort, please.')).toEqual(['one', 'two']);
  expect(taskItems('["a", "b"]')).toEqual(['a', 'b']);
  expect(taskItems('[]')).toEqual([]);
  expect(taskItems('Translate:\n- one\n- two')).toEqual(['one', 'two']);
  expect(taskItems('Fruit:\r\n* one\r\n  * part\r\nabout one\r\n\r\nMore fruit.\r\n• two')).toEqual(['one\n* part\nabout one', 'two']);
  expect(taskItems('1. one\n   - part\n   - part\n   - part\n2. two')).toEqual(['one\n- part\n- part\n- part', 'two']);
  expect(taskItems('Translate these:\none\n\n two ')).toEqual(['one', 'two']);
  expect(taskItems('Write about cats')).toEqual(['Write about cats']);
  expect(taskItems(' \n')).toEqual([]);
});
