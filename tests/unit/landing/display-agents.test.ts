import { expect, test } from 'vitest';
import { displayAgents } from '../../../src/landing/display-agents.ts';

test('P2.08 the six agents carry the data of the specification', () => {
  expect(displayAgents.map(({ key, isCore, priority, apiConfiguration }) => [key, isCore, priority, apiConfiguration.temperature])).toEqual(
    [
      ['product', true, 9, 0.7],
      ['project', true, 8, 0.6],
      ['teamLead', true, 9, 0.5],
      ['developer', true, 8, 0.3],
      ['qa', false, 7, 0.4],
      ['analyst', false, 7, 0.6],
    ],
  );
  for (const { apiConfiguration } of displayAgents) {
    expect(apiConfiguration).toMatchObject({ providerType: 'openai', model: 'gpt-4', maxTokens: 4000 });
  }
});
