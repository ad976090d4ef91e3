import { expect, test } from 'vitest';
import { providerModels } from '../../../../contract/agent.ts';
import type { ConnectionModel } from '../../../../contract/model-connection.ts';
import { offeredModels, triedSource } from '../../../../src/app/workspace/rerun/offered-models.ts';

const agent = (providerType: 'openai' | 'anthropic' | 'simulated', model: string, connectionId: string | null = null) => ({
  apiConfiguration: { providerType, model, connectionId },
});
const own = (provider: 'openai' | 'simulated') => ({ kind: 'own' as const, provider });

test('G5.07 a step can be tried with the models of its provider: known models, models of other agents, and typed models', () => {
  const agents = [agent('openai', 'qwen3'), agent('anthropic', 'claude-3-opus'), agent('openai', 'gpt-4')];
  expect(offeredModels(own('openai'), agents, ['llama4', 'qwen3'])).toEqual([
    ...providerModels.openai.map(({ name }) => name),
    'qwen3',
    'llama4',
  ]);
  expect(offeredModels(own('openai'), agents, []).slice(0, 3)).toEqual(['gpt-6.1-terra', 'gpt-6.1-sol', 'gpt-6-luna']);
  expect(offeredModels(own('simulated'), agents, [])).toEqual(['simulated']);
});

test('G5.07 M3.20 a step of an agent with a connection is tried with models of that connection: a short list whole, of a long one those in use', () => {
  const agents = [agent('openai', 'house-large', 'house'), agent('openai', 'gpt-4'), agent('openai', 'else', 'other')];
  const listed = ['house-small', 'house-old', 'house-large'].map((id) =>
    id === 'house-old' ? { id, ended: { on: '2026-01-01' } } : { id },
  );
  const house = (models: readonly ConnectionModel[]) => ({ kind: 'connection' as const, id: 'house', models });
  expect(offeredModels(house(listed), agents, ['typed'])).toEqual(['house-small', 'house-large', 'typed']);
  const long = Array.from({ length: 50 }, (_, number) => ({ id: `m-${number}` }));
  expect(offeredModels(house(long), agents, ['typed'])).toEqual(['house-large', 'typed']);
});

test('G5.07 M3.20 a trial is asked of the provider of the agent’s connection, not of the agent’s own, and of none before that is known', () => {
  const { apiConfiguration } = agent('openai', 'house-large', 'house');
  expect(triedSource(apiConfiguration, [{ id: 'house', provider: 'ollama' }], [])).toEqual({
    provider: 'ollama',
    source: { kind: 'connection', id: 'house', models: [] },
  });
  expect(triedSource(apiConfiguration, null, [])).toBeNull();
  expect(triedSource(agent('anthropic', 'm').apiConfiguration, null, [])).toEqual({
    provider: 'anthropic',
    source: { kind: 'own', provider: 'anthropic' },
  });
});
