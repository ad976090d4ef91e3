import { expect, test } from 'vitest';
import type { Route } from '../../../../contract/route.ts';
import { type RouteName, routes } from '../../../../contract/routes.ts';

const id = '01a1fab3-094b-73bf-a485-a91fccff0c5d';
const project = { projectId: id };

/** The required fields of each call of the history, and where they are sent. */
const needs: [RouteName, 'params' | 'body', Record<string, string>][] = [
  ['result.list', 'params', project],
  ['result.search', 'params', project],
  ['result.recent', 'params', project],
  ['result.statistics', 'params', project],
  ['result.get', 'params', { id }],
  ['result.update', 'params', { id }],
  ['result.remove', 'params', { id }],
  ['result.byType', 'params', { ...project, type: '2' }],
  ['result.byStatus', 'params', { ...project, status: '2' }],
  ['result.byUser', 'params', { ...project, userId: id }],
  ['result.fromExecution', 'params', { pipelineExecutionId: id }],
  ['result.create', 'body', { ...project, pipelineExecutionId: id }],
];

test.each(needs)('W5.08 %s is refused if a required field of its %s is missing', (name, part, whole) => {
  const { [part]: schema }: Route = routes[name];
  expect(schema?.safeParse(whole).success).toBe(true);
  for (const field of Object.keys(whole)) {
    const { [field]: _, ...rest } = whole;
    expect(schema?.safeParse(rest).success, field).toBe(false);
    expect(schema?.safeParse({ ...whole, [field]: undefined }).success, field).toBe(false);
  }
});

test('W5.08 the record of a dialog is refused without the user’s request', () => {
  const { body }: Route = routes['result.create'];
  const record = { ...project, pipelineExecutionId: id, tags: 'dialog,Ann,chat' };
  expect(body?.safeParse(record).error?.issues).toMatchObject([{ path: ['userRequest'] }]);
  expect(body?.safeParse({ ...record, userRequest: 'Build' }).success).toBe(true);
});
