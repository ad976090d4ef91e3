import { describe, expect, test } from 'vitest';
import { type InputField, inputField } from '../../../../contract/released-team.ts';
import { webhookSettings } from '../../../../contract/trigger.ts';
import { inputOf } from '../../../../server/modules/triggers/trigger-kinds.ts';

const fields: InputField[] = [
  inputField.parse({ kind: 'text', name: 'title' }),
  inputField.parse({ kind: 'number', name: 'count', isOptional: true }),
  inputField.parse({ kind: 'choice', name: 'size', choices: ['s', 'm'], isOptional: true }),
];
const event = { action: 'labeled', issue: { title: 'Dates', number: 7, labels: [{ name: 'artel' }, { name: 'bug' }], body: null } };
const read = (settings: object, body: unknown = event, kind: string | null = null) =>
  inputOf(webhookSettings.parse({ kind: 'webhook', ...settings }), fields, { body: JSON.stringify(body), event: kind });

describe('the input that a webhook gives to a team', () => {
  test('L1.04 fields get the values at their paths: texts, numbers, entries of lists, and records as JSON', () => {
    expect(read({ fields: { title: 'issue.title', count: 'issue.number' } }).input).toEqual({ title: 'Dates', count: '7' });
    expect(read({ fields: { title: 'issue.labels.1.name' } }).input).toEqual({ title: 'bug' });
    expect(read({ fields: { title: 'issue.labels.0' } }).input).toEqual({ title: '{"name":"artel"}' });
  });

  test('L1.04 a value that the field does not take, and one that is missing, is named', () => {
    expect(read({ fields: { title: 'issue.body' } }).denied).toEqual({ outcome: 'failed', reason: 'input', detail: 'title' });
    expect(read({ fields: { title: 'issue.title', size: 'action' } }).denied).toMatchObject({ detail: 'size' });
  });

  test.each(['__proto__.polluted', 'constructor.name', 'issue.toString.name', 'issue.title.length'])(
    'L1.04 the path %s reaches nothing that the body does not have itself',
    (path) => {
      expect(read({ fields: { title: path } }).denied).toMatchObject({ reason: 'input' });
    },
  );

  test('L1.05 every rule of the filter has to fit', () => {
    const rule = (path: string, is: string, value: string) => ({ path, is, value });
    const passes = (...filter: object[]) => read({ filter, fields: { title: 'issue.title' } }).denied === null;
    expect(passes(rule('action', 'equal', 'labeled'), rule('issue.number', 'equal', '7'))).toBe(true);
    expect(passes(rule('action', 'equal', 'labeled'), rule('action', 'different', 'labeled'))).toBe(false);
    expect(passes(rule('issue.missing', 'different', 'x'))).toBe(true);
    expect(passes(rule('issue.title', 'containing', 'ate'))).toBe(true);
    expect(read({ filter: [rule('a.b', 'equal', '1')] }).denied).toEqual({ outcome: 'filtered', reason: 'filter', detail: 'a.b' });
  });

  test('L1.05 a rule and a field can name the kind of the event, as its header says it', () => {
    const filter = [{ path: '$event', is: 'equal', value: 'issues' }];
    const of = (kind: string | null, more: object = {}) => read({ filter, fields: { title: 'issue.title' }, ...more }, event, kind);
    expect(of('issues').denied).toBeNull();
    for (const kind of ['pull_request', 'discussion', null])
      expect(of(kind).denied).toEqual({ outcome: 'filtered', reason: 'filter', detail: '$event' });
    expect(of('issues', { fields: { title: '$event' } }).input).toEqual({ title: 'issues' });
    const own = read({ fields: { title: '\\$event' } }, { $event: 'of the body' }, 'issues');
    expect(own.input).toEqual({ title: 'of the body' });
  });

  test('L1.05 a name with a dot is reached by a backslash before it', () => {
    const body = { resource: { fields: { 'System.State': 'Ready' } }, 'Due date': 'today' };
    const filter = [{ path: 'resource.fields.System\\.State', is: 'equal', value: 'Ready' }];
    expect(read({ filter, fields: { title: 'Due date' } }, body).input).toEqual({ title: 'today' });
    const without = [{ path: 'resource.fields.System.State', is: 'equal', value: 'Ready' }];
    expect(read({ filter: without, fields: { title: 'Due date' } }, body).denied).toMatchObject({ reason: 'filter' });
  });

  test.each(['ping', 'diagnostics:ping'])('L1.05 the event %s is a ping, whatever the filter and the fields say', (kind) => {
    const filter = [{ path: 'action', is: 'equal', value: 'labeled' }];
    expect(read({ filter, fields: { title: 'missing' } }, {}, kind).denied).toEqual({ outcome: 'filtered', reason: 'ping' });
  });

  test('L1.05 a list contains a value that is one of its entries', () => {
    const filter = [{ path: 'labels', is: 'containing', value: 'artel' }];
    const of = (labels: string[]) => read({ filter, fields: { title: 'title' } }, { labels, title: 'x' }).denied?.outcome ?? 'passes';
    expect([of(['artel']), of(['artel-next']), of([])]).toEqual(['passes', 'filtered', 'filtered']);
  });
});
