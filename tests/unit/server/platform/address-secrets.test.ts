import { expect, test } from 'vitest';
import { serverAddress } from '../../../../server/modules/tool-servers/server-address.ts';
import { holdsSecret, shownAddress, shownReceiver } from '../../../../server/platform/egress/address-secrets.ts';
import { readRepositoryAddress } from '../../../../server/platform/git/repository-address.ts';

const withKeys = [
  ...[
    '?api_key=abc',
    '?apiKey=abc',
    '?tavilyApiKey=tvly-dev',
    '?key=abc',
    '?token=abc',
    '?access_token=abc',
    '?X-Amz-Signature=abc',
    '?sig=abc',
  ],
  ...['?code=abc', '?password=abc', '?auth=abc', '?subscription-key=abc', '?q=sk-proj-1', '?x=ghp_abcdef', '?x=eyJhbGciOi', '?ghp_abcdef'],
  ...['?a=1&b=Zm9yIHRva2VucyBhbmQga2V5cw1', '#access_token=abc', '?session=abc'],
];
const without = [
  ...['', '?api-version=2024-10-21', '?project=shop', '?keyword=author', '?tab=readme', '?id=019a2f10-0000-7000-8000-000000000008'],
  ...['?region=eu-central-1', '?model=claude-haiku-4-5', '?read_only=true&features=database'],
];

test('G8.17 an address with a key in its query is known by the names and by the form of its values', () => {
  expect(withKeys.filter((query) => !holdsSecret(new URL(`https://a.test/mcp${query}`)))).toEqual([]);
  expect(without.filter((query) => holdsSecret(new URL(`https://a.test/mcp${query}`)))).toEqual([]);
  expect(holdsSecret(new URL('https://ann:secret@a.test/'))).toBe(true);
});

test('G8.17 neither the address of a repository nor that of a tool server is taken with a key in it', () => {
  for (const query of withKeys) {
    expect(readRepositoryAddress(`https://git.test/ann/shop${query}`, false)).toBeNull();
    expect(serverAddress(`https://a.test/mcp${query}`, false)).toBeNull();
  }
  expect(readRepositoryAddress('https://git.test/ann/shop?tab=readme', false)?.url).toBe('https://git.test/ann/shop');
  expect(serverAddress('https://a.test/mcp?project=shop', false)).toBe('https://a.test/mcp?project=shop');
});

test('G8.17 an address of an earlier version that holds a key is shown without it, and others as they are', () => {
  expect(shownAddress('https://a.test/mcp?api_key=abcdef&project=shop')).toBe('https://a.test/mcp?api_key=***&project=shop');
  expect(withKeys.filter((query) => /abc|abcdef|sk-proj|eyJ|Zm9y/.test(shownAddress(`https://a.test/mcp${query}`)))).toEqual([]);
  for (const query of without) expect(shownAddress(`https://a.test/mcp${query}`)).toBe(`https://a.test/mcp${query}`);
});

test('K6.03 the key in the path of a receiver is hidden, and its place stays', () => {
  const shown = [
    [
      'https://hooks.slack.com/services/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',
      'https://hooks.slack.com/services/T01AB2CD3/B04EF5GH6/***',
    ],
    [
      'https://discord.com/api/webhooks/112233445566778899/Ab1_cd2-Ef3Gh4Ij5Kl6Mn7Op8Qr9St0',
      'https://discord.com/api/webhooks/112233445566778899/***',
    ],
    ['https://example.com/receivers/build-of-the-shop-2026', 'https://example.com/receivers/build-of-the-shop-2026'],
  ] as const;
  for (const [address, told] of shown) expect(shownReceiver(address)).toBe(told);
});
