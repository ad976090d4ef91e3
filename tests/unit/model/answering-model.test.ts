import { expect, test } from 'vitest';
import type { Agent } from '../../../contract/agent.ts';
import { answeringModel, answeringModels } from '../../../src/model/agents/answering-model.ts';

const agent = (providerType: string, model: string, willSimulate?: boolean) =>
  ({ apiConfiguration: { providerType, model, ...(willSimulate !== undefined && { willSimulate }) } }) as Agent;

test('D5.11 the model that answers is the simulated one where no key answers, before the first run too', () => {
  const agents = [agent('openai', 'gpt', true), agent('simulated', 'sim'), agent('openai', 'gpt', false)];
  expect(agents.map(answeringModel)).toEqual([null, null, 'gpt']);
});

test('D5.11 the models of a team are counted, the most used one first', () => {
  const team = [agent('openai', 'gpt'), agent('openai', 'other', true), agent('simulated', 'sim')];
  expect(answeringModels(team)).toEqual([
    { model: null, count: 2 },
    { model: 'gpt', count: 1 },
  ]);
});
