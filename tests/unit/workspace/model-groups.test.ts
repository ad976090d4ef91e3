import { expect, test } from 'vitest';
import type { ConnectionModel } from '../../../contract/model-connection.ts';
import { firstModel, maxShownModels, modelGroups } from '../../../src/app/workspace/models/model-groups.ts';

const ended = { on: '2026-10-23', instead: 'gpt-5' };

test('M3.21 a search finds names that hold all its words, in any order and case', () => {
  const models = [{ id: 'gpt-5-mini' }, { id: 'gpt-5' }, { id: 'GPT-4o-mini' }];
  const idsOf = (query: string) => modelGroups(models, query).groups.flatMap(({ items }) => items.map(({ id }) => id));
  expect(idsOf('')).toEqual(['gpt-5-mini', 'gpt-5', 'GPT-4o-mini']);
  expect(idsOf('mini GPT')).toEqual(['gpt-5-mini', 'GPT-4o-mini']);
  expect(idsOf('claude')).toEqual([]);
});

test('M3.21 models of several makers stand under their makers, and ended models come last', () => {
  const models: ConnectionModel[] = [
    { id: 'gpt-4', ended },
    { id: 'openai/gpt-5' },
    { id: 'mistralai/large' },
    { id: 'openai/gpt-5-mini' },
  ];
  expect(modelGroups(models, '').groups).toEqual([
    { key: 'openai', maker: 'openai', isEnded: false, items: [{ id: 'openai/gpt-5' }, { id: 'openai/gpt-5-mini' }] },
    { key: 'mistralai', maker: 'mistralai', isEnded: false, items: [{ id: 'mistralai/large' }] },
    { key: ':ended', maker: null, isEnded: true, items: [{ id: 'gpt-4', ended }] },
  ]);
});

test('M3.21 at most a hundred of 5,000 models are shown, and all models are counted', () => {
  const models = Array.from({ length: 5_000 }, (_, at) => ({ id: `model-${at}` }));
  const { groups, shown, found } = modelGroups(models, 'model');
  expect({ drawn: groups.flatMap(({ items }) => items).length, shown, found }).toEqual({
    ...{ drawn: maxShownModels, shown: maxShownModels, found: 5_000 },
  });
  expect(modelGroups(models, 'model-4999').found).toBe(1);
});

test('M3.24 a new connection is used with its default model, else a known one of its list, else the first that converses', () => {
  const list: ConnectionModel[] = [
    { id: 'text-embedding-3-large' },
    { id: 'gpt-4', ended },
    { id: 'old-chat', tools: false },
    { id: 'gpt-5' },
    { id: 'gpt-5-mini' },
  ];
  const none = { defaultModel: null };
  expect(firstModel({ defaultModel: 'mine' }, list, [])).toBe('mine');
  expect(firstModel(none, list, ['gpt-4', 'gpt-5-mini'])).toBe('gpt-5-mini');
  expect(firstModel(none, list, ['other'])).toBe('gpt-5');
  expect(firstModel(none, [{ id: 'text-embedding' }], [])).toBe('text-embedding');
  expect(firstModel(none, [], ['gpt-5'])).toBeNull();
});
