import { expect, test } from 'vitest';
import { providerTypes } from '../../../../contract/agent.ts';
import { willSimulate } from '../../../../server/modules/agents/will-simulate.ts';
import { createModels, type ModelsOptions } from '../../../../server/platform/llm/choose-model.ts';
import { asOwner } from '../../../../server/platform/owner-id.ts';

test('M3.30 before a run it is known which agents will be simulated, as the choice of the model says', () => {
  for (const key of [null, 'sk-operator']) {
    const account = { apiKey: key, baseUrl: '' };
    const models = createModels({
      serverWide: {
        openai: { ...account, baseUrl: 'https://api.openai.com/v1' },
        anthropic: { ...account, baseUrl: 'https://api.anthropic.com' },
      },
      ...{
        lendsToUnverified: true,
        callsPerKey: 1,
        gigaChat: { authUrl: 'https://sign.example', scope: '' },
        allowPrivateHosts: true,
        proxies: null,
      },
      simulated: { provider: 'simulated', model: 'simulated', simulated: true } as ModelsOptions['simulated'],
    });
    const lent = new Set(key === null ? [] : ['openai', 'anthropic']);
    for (const providerType of providerTypes) {
      for (const baseUrl of [null, 'https://models.example/v1']) {
        for (const apiKey of [null, 'sk-own']) {
          const own = { providerType, baseUrl, model: 'any', temperature: null, maxTokens: null, folderId: 'folder' };
          const chosen = models.choose({ ...own, ...settingsOf, apiKey, isOwnerVerified: true }, asOwner('user'));
          const expected = chosen.ok && chosen.value.simulated;
          const found = willSimulate({ providerType, baseUrl, connectionId: null, hasKey: apiKey !== null }, lent);
          expect({ providerType, baseUrl, apiKey, key, found }).toEqual({ providerType, baseUrl, apiKey, key, found: expected });
        }
      }
    }
  }
});

test('M3.30 an agent with a connection is never simulated', () => {
  expect(willSimulate({ providerType: 'openai', baseUrl: null, connectionId: 'one', hasKey: false }, new Set())).toBe(false);
});

/** Of no account on this way. */
const settingsOf = { effort: null, headers: null, extraBody: null } as const;
