import fc from 'fast-check';
import { expect, test } from 'vitest';
import { providerTypes } from '../../../../contract/agent.ts';
import { addressOf, endpointOf } from '../../../../server/platform/llm/address-of.ts';

test.each([
  ['openai', 'https://llm.example', 'https://llm.example/v1'],
  ['openai', 'https://llm.example/', 'https://llm.example/v1'],
  ['openai', ' https://llm.example/v1// ', 'https://llm.example/v1'],
  ['compatible', 'https://llm.example/v1/chat/completions', 'https://llm.example/v1'],
  ['compatible', 'https://llm.example/v1/responses?a=1#top', 'https://llm.example/v1?a=1'],
  ['compatible', 'http://10.0.0.7:8000/v1/models', 'http://10.0.0.7:8000/v1'],
  ['compatible', 'https://gw.example/llm/team', 'https://gw.example/llm/team'],
  ['ollama', 'http://localhost:11434/api/chat', 'http://localhost:11434/v1'],
  ['lmstudio', 'http://localhost:1234/api/v0/models', 'http://localhost:1234/v1'],
  ['anthropic', 'https://api.anthropic.com/v1/messages', 'https://api.anthropic.com/v1'],
  ['google', 'https://g.example/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse', 'https://g.example/v1beta?alt=sse'],
  ['google', 'https://g.example', 'https://g.example/v1beta'],
  ['openrouter', 'https://openrouter.ai', 'https://openrouter.ai/api/v1'],
  ['azure', 'https://x.openai.azure.com/', 'https://x.openai.azure.com/openai/v1'],
  [
    'azure',
    'https://x.services.ai.azure.com/models/chat/completions?api-version=1',
    'https://x.services.ai.azure.com/models?api-version=1',
  ],
  [
    'azure',
    'https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2025-01-01',
    'https://x.openai.azure.com/openai/deployments/d?api-version=2025-01-01',
  ],
  ['openai', 'https://user:secret@llm.example/v1', null],
  ['openai', 'ftp://llm.example/v1', null],
  ['openai', 'llm.example', null],
] as const)('M2.11 an address of %s is understood as it is pasted: %s', (provider, pasted, address) => {
  expect(addressOf(provider, pasted)).toBe(address);
});

test('M2.11 an address that is completed is not changed when it is completed again, and keeps its host', () => {
  const segment = fc.constantFrom(
    'v1',
    'v1beta',
    'openai',
    'deployments',
    'd',
    'chat',
    'completions',
    'models',
    'm:generateContent',
    'api',
    'messages',
    'responses',
    'tags',
    '',
  );
  const pasted = fc
    .tuple(
      fc.constantFrom('https://a.example', 'http://127.0.0.1:8080'),
      fc.array(segment, { maxLength: 7 }),
      fc.constantFrom('', '?', '?api-version=1', '?a=b/c#d'),
    )
    .map(([origin, path, rest]) => `${origin}/${path.join('/')}${rest}`);
  fc.assert(
    fc.property(
      fc.constantFrom(...providerTypes),
      fc.oneof(pasted, fc.webUrl({ withQueryParameters: true, withFragments: true })),
      (provider, text) => {
        const address = addressOf(provider, text);
        expect(address).not.toBeNull();
        expect(addressOf(provider, address ?? '')).toBe(address);
        expect(new URL(address ?? '').host).toBe(new URL(text).host);
      },
    ),
  );
});

test('M2.11 the path of a call is added before the query of the address', () => {
  expect(endpointOf('https://x.example/v1?api-version=1', '/models')).toBe('https://x.example/v1/models?api-version=1');
});
