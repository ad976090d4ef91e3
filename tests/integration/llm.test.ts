import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callModel } from '../../server/modules/executions/call-model.ts';
import { createEgress, HostRefused, isHostAllowed } from '../../server/platform/egress/egress.ts';
import { type AgentModelSettings, createModels } from '../../server/platform/llm/choose-model.ts';
import type { LanguageModel, ModelRequest } from '../../server/platform/llm/language-model.ts';
import { openAiCompatibleModel } from '../../server/platform/llm/openai-compatible-model.ts';
import { simulatedModel } from '../../server/platform/llm/simulated/simulated-model.ts';
import { withTurns } from '../../server/platform/llm/with-turns.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';

let models: ModelServer;
beforeAll(async () => {
  models = await startModelServer();
});
afterAll(() => models.close());
beforeEach(() => {
  models.calls.length = 0;
});

const request: ModelRequest = {
  role: 'Developer',
  agentTitle: 'Developer',
  systemPrompt: 'You are a developer.',
  task: 'Write a page',
  earlier: [{ title: 'Assistant', role: 'assistant', text: 'Clarified.' }],
  contexts: [],
  language: 'en',
  temperature: 0.3,
  maxTokens: 500,
  idempotencyKey: 'execution:step',
};

const local = (idleTimeoutMs?: number) =>
  withTurns(
    openAiCompatibleModel({
      provider: 'openai',
      baseUrl: `${models.url}/`,
      apiKey: 'sk-secret-1234567890',
      model: 'test-model',
      fetch: createEgress({ allowPrivate: true, ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }) }),
    }),
  );

const ask = (model: LanguageModel, signal = new AbortController().signal, onText: (text: string) => void = () => {}) =>
  model.answer(request, signal, onText);

const failureOf = async (model: LanguageModel = local()) => {
  const outcome = await ask(model);
  if (outcome.ok) throw new Error('The call did not fail.');
  return outcome.error;
};

describe('a server that speaks chat completions', () => {
  test('R25.01 is sent prompt, settings and key, and its answer streams in', async () => {
    models.answer({ kind: 'text', text: 'A page, piece by piece, of some length.' });
    const texts: string[] = [];
    const outcome = await ask(local(), undefined, (text) => texts.push(text));
    expect(outcome).toEqual({
      ok: true,
      value: {
        text: 'A page, piece by piece, of some length.',
        thoughts: null,
        finish: 'stop',
        usage: { promptTokens: 20, completionTokens: 10, totalTokens: 30 },
      },
    });
    expect(texts.length).toBeGreaterThan(1);
    for (const [index, text] of texts.slice(1).entries()) expect(text.startsWith(texts[index] ?? '?')).toBe(true);
    const [call] = models.calls;
    expect(call?.path).toBe('/v1/chat/completions');
    expect(call?.body).toMatchObject({ model: 'test-model', temperature: 0.3, max_tokens: 500, stream: true });
    expect(call?.headers).toMatchObject({ authorization: 'Bearer sk-secret-1234567890', 'idempotency-key': 'execution:step' });
    expect(call?.body.messages.map(({ role }) => role)).toEqual(['system', 'user']);
  });

  test('R25.01 is sent the messages of a free conversation as they are', async () => {
    models.answer({ kind: 'text', text: 'Hello again' });
    const messages = (['system', 'user', 'assistant', 'user'] as const).map((role, index) => ({ role, content: `Line ${index}` }));
    const speaker = { role: 'QA', agentTitle: 'QA', language: 'en' } as const;
    const conversation = { messages, speaker, temperature: 0, maxTokens: 100, idempotencyKey: 'talk' };
    expect(await local().converse(conversation, new AbortController().signal, () => {})).toMatchObject({ ok: true });
    expect(models.calls[0]?.body).toMatchObject({ messages, temperature: 0, max_tokens: 100 });
  });

  test('R25.01 may answer with one completion instead of a stream', async () => {
    models.answer({ kind: 'json', text: 'All at once' });
    expect(await ask(local())).toMatchObject({ ok: true, value: { text: 'All at once' } });
  });

  test.each([
    [401, 'model_unauthorized', false],
    [403, 'model_unauthorized', false],
    [404, 'model_rejected', false],
    [400, 'model_rejected', false],
    [429, 'model_rate_limited', true],
    [500, 'model_unavailable', true],
    [503, 'model_unavailable', true],
  ] as const)('W8.04 status %i means %s', async (status, code, transient) => {
    models.answer({ kind: 'status', status, message: 'Because sk-secret-1234567890 and Bearer abc.' });
    const failure = await failureOf();
    expect(failure).toMatchObject({ code, transient, status });
    expect(failure.detail).toBe('Because *** and Bearer ***');
  });

  test('W8.04 a redirect is not followed', async () => {
    models.answer({ kind: 'status', status: 307 });
    expect((await failureOf()).code).toMatch(/^model_(bad_answer|rejected)$/);
    expect(models.calls).toHaveLength(1);
  });

  test('W8.04 garbage is a bad answer, and no word at all an empty one', async () => {
    models.answer({ kind: 'garbage' });
    expect(await failureOf()).toMatchObject({ code: 'model_bad_answer', transient: false });
    models.answer({ kind: 'empty', ended: true });
    expect(await failureOf()).toMatchObject({ code: 'model_empty_answer', transient: false });
    models.answer({ kind: 'empty', ended: false });
    expect(await failureOf()).toMatchObject({ code: 'model_empty_answer', transient: false });
    models.answer({ kind: 'json', text: '  ' });
    expect(await failureOf()).toMatchObject({ code: 'model_empty_answer' });
  });

  test('W8.04 a connection that is cut is worth another try, before and in the middle of the text', async () => {
    models.answer({ kind: 'hangUp' });
    expect(await failureOf()).toMatchObject({ code: 'model_unavailable', transient: true });
    models.answer({ kind: 'cut', text: 'Half a' });
    expect(await failureOf()).toMatchObject({ code: 'model_unavailable', transient: true });
  });

  test('W8.04 nobody there is unreachable, by port and by name', async () => {
    const nobody = (baseUrl: string) =>
      withTurns(
        openAiCompatibleModel({ provider: 'openai', baseUrl, apiKey: null, model: 'm', fetch: createEgress({ allowPrivate: true }) }),
      );
    expect(await failureOf(nobody('http://127.0.0.1:1/v1'))).toMatchObject({ code: 'model_unreachable', transient: true });
    expect((await failureOf(nobody('http://no-such-host.invalid/v1'))).code).toBe('model_unreachable');
  });

  test('W8.04 silence ends with a time-out', async () => {
    models.answer({ kind: 'hang' });
    expect(await failureOf(local(50))).toMatchObject({ code: 'model_timeout', transient: false });
  });

  test('W4.08 an abort ends the call at once, on both sides', async () => {
    models.answer({ kind: 'hang' });
    const stop = new AbortController();
    const asked = ask(local(), stop.signal);
    await models.call(1);
    stop.abort('stopped');
    expect(await asked).toMatchObject({ ok: false, error: { code: 'aborted' } });
    await models.aborted(1);
  });
});

describe('trying again', () => {
  const retry = (model: LanguageModel) => {
    const waits: number[] = [];
    const retried: string[] = [];
    const outcome = callModel({
      model,
      request,
      signal: new AbortController().signal,
      onText: () => {},
      onRetry: async ({ code }) => void retried.push(code),
      backoffMs: 1_000,
      wait: async (ms) => void waits.push(ms),
    });
    return { outcome, waits, retried };
  };

  test('W8.04 three attempts at most, each wait twice as long', async () => {
    models.answer({ kind: 'status', status: 500 });
    const { outcome, waits, retried } = retry(local());
    expect(await outcome).toMatchObject({ ok: false, error: { code: 'model_unavailable' } });
    expect(models.calls).toHaveLength(3);
    expect(waits).toEqual([1_000, 2_000]);
    expect(retried).toEqual(['model_unavailable', 'model_unavailable']);
  });

  test('W8.04 waits as long as the other side asks, a minute at most', async () => {
    models.answer((call) => ({ kind: 'status', status: 429, retryAfter: call.number === 1 ? '7' : '86400' }));
    const { outcome, waits } = retry(local());
    expect(await outcome).toMatchObject({ ok: false, error: { code: 'model_rate_limited' } });
    expect(waits).toEqual([7_000, 60_000]);
  });

  test('W8.04 what will not pass is not tried again', async () => {
    models.answer({ kind: 'status', status: 401 });
    const { outcome } = retry(local());
    expect(await outcome).toMatchObject({ ok: false, error: { code: 'model_unauthorized' } });
    expect(models.calls).toHaveLength(1);
  });

  test('W4.08 an abort while it waits ends it', async () => {
    models.answer({ kind: 'status', status: 500 });
    const stop = new AbortController();
    const onRetry = async () => stop.abort();
    const sleep = (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal });
    const outcome = await callModel({
      model: local(),
      request,
      signal: stop.signal,
      onText: () => {},
      onRetry,
      backoffMs: 60_000,
      wait: sleep,
    });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'aborted' } });
    expect(models.calls).toHaveLength(1);
  });
});

describe('the choice of a model', () => {
  const simulated = simulatedModel({ durationMs: 0 });
  const settings: AgentModelSettings = {
    providerType: 'openai',
    model: 'gpt-4',
    temperature: 0.7,
    maxTokens: 4_000,
    baseUrl: null,
    apiKey: null,
  };
  const none = { openAiApiKey: null, openAiBaseUrl: 'https://api.openai.com/v1', anthropicApiKey: null };
  const choose = (
    serverWide: typeof none | { openAiApiKey: string; openAiBaseUrl: string; anthropicApiKey: null },
    change: Partial<AgentModelSettings> = {},
  ) => {
    const choice = createModels({ serverWide, allowPrivateHosts: false, simulated }).choose({ ...settings, ...change }, 'user');
    return choice.ok ? { provider: choice.value.provider, host: choice.value.host } : choice.error.code;
  };

  test('R25.01 is the simulated one where there is no key', () => {
    expect(choose(none)).toEqual({ provider: 'simulated', host: null });
    for (const providerType of ['anthropic', 'gigachat', 'yandexgpt', 'simulated'] as const) {
      expect(choose(none, { providerType })).toEqual({ provider: 'simulated', host: null });
    }
  });

  test('R25.01 is the operator’s server with the operator’s key', () => {
    expect(choose({ ...none, openAiApiKey: 'sk-server' })).toEqual({ provider: 'openai', host: 'api.openai.com' });
    expect(choose({ ...none, openAiBaseUrl: 'http://localhost:11434/v1' })).toEqual({ provider: 'openai', host: 'localhost:11434' });
  });

  test('R25.01 is the agent’s own server, which never sees the operator’s key', async () => {
    models.answer({ kind: 'text', text: 'Mine' });
    const serverWide = { openAiApiKey: 'sk-server', openAiBaseUrl: 'https://api.openai.com/v1', anthropicApiKey: null };
    const choice = createModels({ serverWide, allowPrivateHosts: true, simulated }).choose({ ...settings, baseUrl: models.url }, 'user');
    if (!choice.ok) throw new Error('No model was chosen.');
    await ask(choice.value);
    expect(models.calls[0]?.headers.authorization).toBeUndefined();
  });

  test('R25.01 refuses a private address that a user chose, although the operator’s own is trusted', async () => {
    const choice = createModels({ serverWide: none, allowPrivateHosts: false, simulated }).choose(
      { ...settings, baseUrl: models.url },
      'user',
    );
    if (!choice.ok) throw new Error('No model was chosen.');
    expect(await failureOf(choice.value)).toMatchObject({ code: 'model_host_refused' });
    expect(models.calls).toHaveLength(0);
  });

  test('R25.01 is a failure for a provider with a key that cannot be called yet', () => {
    expect(choose(none, { providerType: 'yandexgpt', apiKey: 'key' })).toBe('model_not_configured');
  });
});

describe('calls to addresses that people chose', () => {
  const closed = createEgress({ allowPrivate: false });

  test('R25.01 a name that leads into the own network is refused at the moment of connecting', async () => {
    const { port } = new URL(models.url);
    await expect(closed(`http://localhost:${port}/`)).rejects.toThrow(HostRefused);
    await expect(closed(`http://[::1]:${port}/`)).rejects.toThrow(HostRefused);
    await expect(closed(`http://2130706433:${port}/`)).rejects.toThrow(HostRefused);
    await expect(closed('file:///etc/passwd')).rejects.toThrow(TypeError);
    expect(models.calls).toHaveLength(0);
  });

  test('R25.01 the same rule holds when an address is saved', async () => {
    expect(await isHostAllowed('http://localhost:11434/v1', { allowPrivate: false })).toBe(false);
    expect(await isHostAllowed('http://10.0.0.8/v1', { allowPrivate: false })).toBe(false);
    expect(await isHostAllowed('https://93.184.215.14/v1', { allowPrivate: false })).toBe(true);
    expect(await isHostAllowed('http://localhost:11434/v1', { allowPrivate: true })).toBe(true);
  });
});
