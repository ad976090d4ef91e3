import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { type WebhookScheme, webhookSchemes } from '../../../../contract/trigger.ts';
import { checkWebhook, newWebhookSecret, refusedByHeaders } from '../../../../server/modules/triggers/webhook-secret.ts';

const body = Buffer.from('{"action":"labeled","title":"Тест"}');
const now = new Date('2026-03-01T10:00:00.000Z');
const hex = (secret: string) => createHmac('sha256', secret).update(body).digest('hex');

/** The headers that a sender of each scheme makes for the body. */
const headersOf = {
  standard: (secret: string, at = now) => ({
    'webhook-id': 'one',
    'webhook-timestamp': String(at.getTime() / 1_000),
    'webhook-signature': new Webhook(secret).sign('one', at, body.toString()),
  }),
  github: (secret: string) => ({ 'x-hub-signature-256': `sha256=${hex(secret)}` }),
  gitea: (secret: string) => ({ 'x-gitea-signature': hex(secret) }),
  gitlab: (secret: string) => ({ 'x-gitlab-token': secret }),
  bearer: (secret: string) => ({ authorization: `Bearer ${secret}` }),
};

describe.each(webhookSchemes)('%s', (scheme) => {
  const secret = newWebhookSecret(scheme);
  const check = (secrets: string[], headers: Record<string, string>, sent: Buffer = body) =>
    checkWebhook(scheme, secrets, { headers, body: sent, now });

  test('L1.02 the sender with the secret is genuine, also while the secret is being changed', () => {
    expect(check([secret], headersOf[scheme](secret))).toBe('genuine');
    expect(check([newWebhookSecret(scheme), secret], headersOf[scheme](secret))).toBe('genuine');
  });

  test('L1.02 another secret, no header, another value and no secret at all are forged', () => {
    expect(check([newWebhookSecret(scheme)], headersOf[scheme](secret))).toBe('forged');
    expect(check([secret], {})).toBe('forged');
    const wrong = Object.fromEntries(Object.entries(headersOf[scheme](secret)).map(([name, value]) => [name, `${value}0`]));
    expect(check([secret], wrong)).toBe('forged');
    expect(check([], headersOf[scheme](secret))).toBe('forged');
  });
});

test.each(['standard', 'github', 'gitea'] as const)('L1.02 a changed body is forged where the bytes are signed (%s)', (scheme) => {
  const secret = newWebhookSecret(scheme);
  const changed = Buffer.from(body.toString().replace('labeled', 'deleted'));
  expect(checkWebhook(scheme, [secret], { headers: headersOf[scheme](secret), body: changed, now })).toBe('forged');
});

test('L1.02 the headers of Svix prove the same as those of Standard Webhooks, and are not mixed with them', () => {
  const secret = newWebhookSecret('standard');
  const right = headersOf.standard(secret);
  const svix = Object.fromEntries(Object.entries(right).map(([name, value]) => [name.replace('webhook', 'svix'), value]));
  const check = (headers: Record<string, string>) => checkWebhook('standard', [secret], { headers, body, now });
  expect(check(svix)).toBe('genuine');
  expect(check({ ...svix, 'webhook-id': 'other' })).toBe('forged');
  expect(check({ ...svix, 'svix-signature': 'v1,AAAA' })).toBe('forged');
  expect(refusedByHeaders('standard', [secret], { headers: svix, now })).toBeNull();
});

test('L1.02 what is missing, what is wrong and what is late are told apart by the headers', () => {
  const secret = newWebhookSecret('bearer');
  const refused = (scheme: WebhookScheme, headers: Record<string, string>) => refusedByHeaders(scheme, [secret], { headers, now });
  for (const scheme of webhookSchemes) expect(refused(scheme, {})).toBe('unsigned');
  expect(refused('github', { 'x-hub-signature-256': 'sha256=00' })).toBe('unsigned');
  expect(refused('bearer', { authorization: 'Bearer a guess' })).toBe('forged');
  expect(refused('gitlab', { 'x-gitlab-token': 'a guess' })).toBe('forged');
  const milliseconds = { 'webhook-id': 'x', 'webhook-timestamp': String(now.getTime()), 'webhook-signature': 'v1,AAAA' };
  expect(refused('standard', milliseconds)).toBe('late');
});

test('L1.02 a signed time more than five minutes away is late, before and after now', () => {
  const secret = newWebhookSecret('standard');
  const at = (seconds: number) => {
    const headers = headersOf.standard(secret, new Date(now.getTime() + seconds * 1_000));
    return checkWebhook('standard', [secret], { headers, body, now });
  };
  expect([-301, -300, 0, 300, 301].map(at)).toEqual(['late', 'genuine', 'genuine', 'genuine', 'late']);
});
