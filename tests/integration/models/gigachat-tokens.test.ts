import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createEgress } from '../../../server/platform/egress/egress.ts';
import { createAccessTokens } from '../../../server/platform/llm/gigachat/access-tokens.ts';
import { exchangeKey } from '../../../server/platform/llm/gigachat/exchange-key.ts';
import { gigaChatModel } from '../../../server/platform/llm/gigachat/gigachat-model.ts';
import type { Conversation, ModelAdapter } from '../../../server/platform/llm/language-model.ts';
import { gigaChatProtocol } from '../../support/model-protocols/gigachat-protocol.ts';
import { type ModelServer, startModelServer } from '../../support/services/model-server.ts';
import { startTokenServer, type TokenServer } from '../../support/services/token-server.ts';
import { untrustedCertificate } from '../../support/services/untrusted-certificate.ts';

const key = 'Y2xpZW50OnNlY3JldC1vZi1jbGllbnQ=';
const id = '6f0b1291-c7f3-43c6-bb2e-9f3efb2dc98e';
const talk: Conversation = {
  messages: [{ role: 'user', content: 'Hello' }],
  speaker: { role: 'QA', agentTitle: 'QA', language: 'en' },
  temperature: 0.7,
  maxTokens: 100,
  idempotencyKey: 'talk',
};

let models: ModelServer;
let tokens: TokenServer;
let now: number;

beforeAll(async () => {
  [models, tokens] = await Promise.all([startModelServer(gigaChatProtocol), startTokenServer()]);
});
afterAll(() => Promise.all([models.close(), tokens.close()]));
beforeEach(() => {
  now = 0;
  models.calls.length = 0;
  tokens.exchanges.length = 0;
  tokens.answer({ kind: 'token', lifeMs: 30 * 60_000 });
  models.answer(({ headers }) =>
    tokens.knows(headers.authorization) ? { kind: 'text', text: 'Hello.' } : { kind: 'status', status: 401, message: 'Token has expired' },
  );
});

const gigaChat = (authUrl = tokens.url): ModelAdapter => {
  const call = createEgress({ allowPrivate: true, proxies: null });
  const held = createAccessTokens(
    (secret) => exchangeKey({ authUrl, scope: 'GIGACHAT_API_PERS', call, newId: () => id }, secret),
    () => now,
  );
  return gigaChatModel({ baseUrl: models.url, key, tokens: held, model: 'GigaChat-2', call });
};
const ask = (model: ModelAdapter, signal = new AbortController().signal) => model.converse(talk, signal, () => {});

test('R25.01 GigaChat’s key is exchanged for a token, and only the token goes to the model', async () => {
  expect(await ask(gigaChat())).toMatchObject({ ok: true, value: { text: 'Hello.', usage: { totalTokens: 30 } } });
  const [exchange] = tokens.exchanges;
  expect(exchange).toMatchObject({ method: 'POST', path: '/api/v2/oauth', form: { scope: 'GIGACHAT_API_PERS' } });
  expect(exchange?.headers).toMatchObject({
    authorization: `Basic ${key}`,
    rquid: id,
    'content-type': 'application/x-www-form-urlencoded',
  });
  expect(JSON.stringify(models.calls)).not.toContain(key);
  expect(models.calls[0]?.body).not.toHaveProperty('stream_options');
});

test('R25.01 a token is used until shortly before its expiry', async () => {
  const model = gigaChat();
  await ask(model);
  now = 28 * 60_000;
  await ask(model);
  expect(tokens.exchanges).toHaveLength(1);
  now = 29 * 60_000 + 1;
  expect(await ask(model)).toMatchObject({ ok: true });
  expect(tokens.exchanges).toHaveLength(2);
});

test('R25.01 a token with an implausible expiry is still used for a while', async () => {
  tokens.answer({ kind: 'token', lifeMs: -3 * 24 * 60 * 60_000 });
  const model = gigaChat();
  await ask(model);
  now = 30_000;
  await ask(model);
  expect(tokens.exchanges).toHaveLength(1);
});

test('R25.01 calls at the same time share one exchange, which an abort of one does not end', async () => {
  const gate = Promise.withResolvers<void>();
  tokens.answer({ kind: 'after', release: gate.promise });
  const model = gigaChat();
  const stop = new AbortController();
  const aborted = ask(model, stop.signal);
  const others = [1, 2, 3].map(() => ask(model));
  stop.abort('stopped');
  expect(await aborted).toMatchObject({ ok: false, error: { code: 'aborted' } });
  gate.resolve();
  for (const outcome of await Promise.all(others)) expect(outcome).toMatchObject({ ok: true });
  expect(tokens.exchanges).toHaveLength(1);
});

test('R25.01 a refused token is exchanged again, once', async () => {
  const model = gigaChat();
  await ask(model);
  tokens.revoke();
  expect(await ask(model)).toMatchObject({ ok: true });
  expect(tokens.exchanges).toHaveLength(2);
  expect(models.calls).toHaveLength(3);
  models.answer({ kind: 'status', status: 401, message: 'Not for you' });
  expect(await ask(model)).toMatchObject({ ok: false, error: { code: 'model_unauthorized', detail: 'Not for you' } });
  expect(tokens.exchanges).toHaveLength(3);
  expect(models.calls).toHaveLength(5);
});

test.each([
  [{ status: 401, body: { code: 6, message: `credentials doesn't match db data: ${key}` } }, 'model_unauthorized', false],
  [{ status: 400, body: { code: 7, message: 'scope from db not fully includes consumed scope' } }, 'model_unauthorized', false],
  [{ status: 429, body: { code: 0, message: 'too many' }, retryAfter: '3' }, 'model_rate_limited', true],
  [{ status: 500, body: {} }, 'model_unavailable', true],
] as const)('W8.04 an exchange that fails is a failure of that host: %o', async (reply, code, transient) => {
  tokens.answer({ kind: 'status', ...reply });
  const model = gigaChat();
  const outcome = await ask(model);
  expect(outcome).toMatchObject({ ok: false, error: { code, transient, status: reply.status, host: new URL(tokens.url).host } });
  expect(JSON.stringify(outcome)).not.toContain(key);
  expect(models.calls).toHaveLength(0);
  tokens.answer({ kind: 'token', lifeMs: 60_000 });
  expect(await ask(model)).toMatchObject({ ok: true });
});

test('W8.04 a server that is no token server and an unreachable one have different errors', async () => {
  tokens.answer({ kind: 'garbage' });
  expect(await ask(gigaChat())).toMatchObject({ ok: false, error: { code: 'model_bad_answer' } });
  const unreachable = await ask(gigaChat('http://127.0.0.1:1/oauth'));
  expect(unreachable).toMatchObject({ ok: false, error: { code: 'model_unreachable', transient: true, host: '127.0.0.1:1' } });
});

test('W8.04 an untrusted certificate has its own error', async () => {
  const secure = await startTokenServer(untrustedCertificate);
  try {
    const outcome = await ask(gigaChat(secure.url));
    expect(outcome).toMatchObject({ ok: false, error: { code: 'model_untrusted', transient: false, host: new URL(secure.url).host } });
    expect(secure.exchanges).toHaveLength(0);
  } finally {
    await secure.close();
  }
});
