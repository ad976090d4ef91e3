import { expect, test } from 'vitest';
import type { ResultItem } from '../../../contract/result.ts';
import { historyDetails } from '../../../src/app/workspace/history/history-details.ts';
import { matchParts, searchHistory } from '../../../src/app/workspace/history/search-history.ts';

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

test('W2.18 what matches is marked wherever it occurs, in its own case', () => {
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
    tags: ['a', 'b'],
  });
  expect(historyDetails({ metadata: 'not json', tags: '' })).toEqual({
    executionTimeMs: null,
    totalTokens: null,
    simulated: false,
    tags: [],
  });
  expect(historyDetails({ metadata: '{"executionTime":"long","tokenUsage":7}', tags: '' })).toMatchObject({
    executionTimeMs: null,
    totalTokens: 7,
  });
});
