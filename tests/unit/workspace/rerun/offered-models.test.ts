import { expect, test } from 'vitest';
import { providerModels } from '../../../../contract/agent.ts';
import { offeredModels } from '../../../../src/app/workspace/rerun/offered-models.ts';

const agent = (providerType: 'openai' | 'anthropic' | 'simulated', model: string) => ({ apiConfiguration: { providerType, model } });

test('G5.07 a step can be tried with the models of its provider: known ones, those of other agents, and those that are typed', () => {
  const agents = [agent('openai', 'qwen3'), agent('anthropic', 'claude-3-opus'), agent('openai', 'gpt-4')];
  expect(offeredModels('openai', agents, ['llama4', 'qwen3'])).toEqual([
    ...providerModels.openai.map(({ name }) => name),
    'qwen3',
    'llama4',
  ]);
  expect(offeredModels('openai', agents, []).slice(0, 3)).toEqual(['gpt-4', 'gpt-4-turbo', 'gpt-3.5-turbo']);
  expect(offeredModels('simulated', agents, [])).toEqual(['simulated']);
});
