import { expect, test } from 'vitest';
import en from '../../../locales/en/landing.json' with { type: 'json' };
import ru from '../../../locales/ru/landing.json' with { type: 'json' };
import { displayAgents } from '../../../src/landing/sections/display-agents.ts';

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
  const words = ['name', 'title', 'role', 'description', 'specialization', 'systemPrompt'];
  for (const { key, status, apiConfiguration } of displayAgents) {
    expect(status).toBe('active');
    expect(apiConfiguration).toMatchObject({ providerType: 'openai', model: 'gpt-4', maxTokens: 4000 });
    for (const { agents } of [ru, en]) expect(Object.keys(agents[key])).toEqual(words);
  }
});
