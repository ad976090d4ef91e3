import { expect, test } from 'vitest';
import type { ResultItem } from '../../../contract/executions/result.ts';
import { historyDetails } from '../../../src/app/workspace/history/history-details.ts';
import { historyPage, pressCounter } from '../../../src/app/workspace/history/history-page.ts';
import { matchParts } from '../../../src/app/workspace/history/match-parts.ts';
import { foundRuns, withOlder } from '../../../src/app/workspace/history/use-history-search.ts';
import { searchHistory } from '../../../src/model/console/search-history.ts';

const item = (id: string, changes: Partial<ResultItem>): ResultItem => ({
  id,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  projectId: 'project',
  pipelineExecutionId: id,
  userId: 'owner',
  userRequest: '',
  finalResult: '',
  summary: '',
  type: 2,
  status: 2,
  metadata: '{}',
  tags: '',
  agentsCount: 1,
  stepsCount: 1,
  ...changes,
});

const items = [
  item('request', { userRequest: 'Экспорт заказов' }),
  item('result', { finalResult: 'Готов экспорт в CSV' }),
  item('summary', { summary: 'ЭКСПОРТ готов' }),
  item('tags', { tags: 'dialog,экспорт' }),
  item('other', { userRequest: 'Почта' }),
];

test('W2.18 search looks into request, result, summary and tags, in any case', () => {
  expect(searchHistory(items, ' Экспорт ').map((found) => found.id)).toEqual(['request', 'result', 'summary', 'tags']);
});

test('W2.18 a blank search shows all, and one without a match nothing', () => {
  expect(searchHistory(items, '  ')).toHaveLength(5);
  expect(searchHistory(items, 'счёт')).toEqual([]);
});

test('G8.34 search finds е for ё, words in another order, and both normal forms', () => {
  const held = [
    item('yo', { userRequest: 'Зелёный чай', summary: 'Отчёт готов' }),
    item('nfd', { userRequest: 'Чёрный йогурт'.normalize('NFD') }),
  ];
  const ids = (query: string) => searchHistory(held, query).map(({ id }) => id);
  expect(ids('зеленый')).toEqual(['yo']);
  expect(ids('чай ЗЕЛЁНЫЙ отчет')).toEqual(['yo']);
  expect(ids('йогурт черный')).toEqual(['nfd']);
  expect(ids('Йогурт'.normalize('NFD'))).toEqual(['nfd']);
  expect(ids('зелёный кофе')).toEqual([]);
});

test('G8.34 each word that matches is marked, in both normal forms and with ё', () => {
  const marked = (text: string, query: string) => matchParts(text, query).flatMap((part) => (part.match ? [part.text] : []));
  expect(marked('Зелёный чай', 'чай зеленый')).toEqual(['Зелёный', 'чай']);
  expect(marked('Ёлка. Елка', 'ёлка')).toEqual(['Ёлка', 'Елка']);
  const decomposed = 'Чёрный йогурт'.normalize('NFD');
  expect(marked(decomposed, 'йогурт черный')).toEqual(['Чёрный'.normalize('NFD'), 'йогурт'.normalize('NFD')]);
  expect(
    matchParts(decomposed, 'йогурт черный')
      .map(({ text }) => text)
      .join(''),
  ).toBe(decomposed);
  expect(marked('a+b (c) [d] x-y', '(c) a+b [d] x-y')).toEqual(['a+b', '(c)', '[d]', 'x-y']);
});

test('W2.18 a run whose long result the page holds the beginning of is found by the server', () => {
  const held = [item('cut', { finalResult: 'It begins', finalResultIsCut: true }), ...items];
  const ids = (answered: ResultItem[] | null) =>
    foundRuns(held, { answered, gone: new Set(), text: 'экспорт', triggerId: null }).map(({ id }) => id);
  expect(ids(null)).toEqual(['request', 'result', 'summary', 'tags']);
  expect(ids([item('cut', {}), item('older', { finalResult: 'Its beginning says nothing' })])).toEqual([
    ...['cut', 'request', 'result', 'summary', 'tags', 'older'],
  ]);
});

test('L4.09 the runs of a trigger are those of the list and older ones of the server, with a search among them', () => {
  const trigger = { id: 'tickets', name: 'Tickets' };
  const held = [
    item('own', { trigger, summary: 'Экспорт' }),
    item('quiet', { trigger }),
    ...items,
    item('of other', { trigger: { ...trigger, id: 'other' } }),
  ];
  const ids = (text: string, answered: ResultItem[] | null) =>
    foundRuns(held, { answered, gone: new Set(), text, triggerId: 'tickets' }).map(({ id }) => id);
  expect(ids('', null)).toEqual(['own', 'quiet']);
  expect(ids('экспорт', null)).toEqual(['own']);
  expect(ids('', [item('older', { trigger }), item('foreign', {})])).toEqual(['own', 'quiet', 'older']);
});

test('W2.18 older runs that a search finds come after the listed runs, each once and without removed runs', () => {
  const older = [item('cleared', { createdAt: '2026-01-02T00:00:00.000Z' }), item('tags', {}), item('far', {}), item('gone', {})];
  const ids = withOlder(items, older, new Set(['gone'])).map(({ id }) => id);
  expect(ids).toEqual(['request', 'result', 'summary', 'tags', 'other', 'far']);
  expect(withOlder(items, null, new Set())).toEqual(items);
});

test('W2.18 matching text is marked wherever it occurs, in its own case', () => {
  expect(matchParts('Экспорт и экспорт', 'экспорт').map((part) => [part.text, part.match])).toEqual([
    ['Экспорт', true],
    [' и ', false],
    ['экспорт', true],
  ]);
  expect(matchParts('Почта', '')).toEqual([{ text: 'Почта', match: false, at: 0 }]);
});

test('W2.18 details are read from metadata, and metadata that cannot be read tells nothing', () => {
  expect(historyDetails({ metadata: '{"executionTime":4200,"tokenUsage":{"totalTokens":18}}', tags: 'a, b,,' })).toEqual({
    executionTimeMs: 4_200,
    totalTokens: 18,
    simulated: false,
    ...{ cost: null, limited: false, marks: [] },
    tags: ['a', 'b'],
  });
  expect(historyDetails({ metadata: 'not json', tags: '' })).toEqual({
    executionTimeMs: null,
    totalTokens: null,
    simulated: false,
    ...{ cost: null, limited: false, marks: [] },
    tags: [],
  });
  expect(historyDetails({ metadata: '{"executionTime":"long","tokenUsage":7}', tags: '' })).toMatchObject({
    executionTimeMs: null,
    totalTokens: 7,
  });
});

test('G4.12 the cost of a run and its end at a budget are read from its metadata', () => {
  const cost = { amounts: [{ currency: 'RUB', micros: 5 }], isUnknown: true };
  expect(historyDetails({ metadata: JSON.stringify({ cost, limited: true }), tags: '' })).toMatchObject({ cost, limited: true });
  expect(historyDetails({ metadata: '{"cost":{"amounts":7}}', tags: '' })).toMatchObject({ cost: null, limited: false });
});

test('M2.27 what the results of a run lack is read from its metadata', () => {
  expect(historyDetails({ metadata: '{"marks":["cut","noFile"]}', tags: '' }).marks).toEqual(['cut', 'noFile']);
  expect(historyDetails({ metadata: '{"marks":["unheard"]}', tags: '' }).marks).toEqual([]);
});

test('W9.02 W2.18 the history shows ten runs and ten more at each request, fifty at most beside the canvas and a hundred in the console', () => {
  expect(historyPage(7, 10, 'panel')).toEqual({ shown: 7, more: 0, max: null });
  expect(historyPage(34, 10, 'panel')).toEqual({ shown: 10, more: 10, max: null });
  expect(historyPage(34, 30, 'panel')).toEqual({ shown: 30, more: 4, max: null });
  expect(historyPage(120, 50, 'panel')).toEqual({ shown: 50, more: 0, max: 50 });
  expect(historyPage(120, 50, 'console')).toEqual({ shown: 50, more: 10, max: 100 });
  expect(historyPage(120, 110, 'console')).toEqual({ shown: 100, more: 0, max: 100 });
});

test('W9.02 a request for more runs within half a second of the last one is not counted', () => {
  let now = 0;
  const counts = pressCounter(() => now);
  const press = (at: number) => {
    now = at;
    return counts();
  };
  expect([0, 499, 500, 600, 1_000].map(press)).toEqual([true, false, true, false, true]);
});
