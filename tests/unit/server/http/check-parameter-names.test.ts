import { expect, test } from 'vitest';
import type { Route } from '../../../../contract/route.ts';
import { type RouteName, routes } from '../../../../contract/routes.ts';
import { ApiError } from '../../../../server/http/api-error.ts';
import { checkParameterNames } from '../../../../server/http/check-parameter-names.ts';

function problemsOf(name: RouteName, query: object, language: 'ru' | 'en' = 'en') {
  try {
    checkParameterNames((routes[name] as Route).query, query, language);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.options.errors ?? [];
  }
}

test.each([
  ['query', 'q'],
  ['Search', 'q'],
  ['tag', 'tags'],
  ['satus', 'status'],
  ['stauts', 'status'],
  ['Limit', 'limit'],
  ['page_size', 'limit'],
  ['skip', 'offset'],
  ['form', 'from'],
])('R19.01 an unknown parameter near a known one is named: %s', (given, meant) => {
  expect(problemsOf('result.search', { [given]: 'x' })).toEqual([
    { path: given, message: `There is no such parameter. Did you mean ${meant}?` },
  ]);
});

test('R19.01 the parameter is named in the language of the caller', () => {
  expect(problemsOf('result.search', { query: 'x' }, 'ru')[0]?.message).toBe('Такого параметра нет. Возможно, вы имели в виду q?');
});

test('R19.01 known parameters, and unknown ones that resemble no known one, are accepted', () => {
  expect(problemsOf('result.search', { q: 'x', tags: 'a', limit: '5', from: '2026-01-01', to: '2026-02-01' })).toEqual([]);
  expect(problemsOf('result.search', { _: '1', t: '2', utm_source: 'x', toString: 'x', includeInactive: 'true', page: '2' })).toEqual([]);
  expect(problemsOf('lead.create', { query: 'x' })).toEqual([]);
});

test('R19.01 no known parameter of a call is reported as a misspelling of another one', () => {
  for (const name of Object.keys(routes) as RouteName[]) {
    const query = (routes[name] as Route).query;
    if (query) expect([name, problemsOf(name, Object.fromEntries(Object.keys(query.shape).map((key) => [key, 'x'])))]).toEqual([name, []]);
  }
});
