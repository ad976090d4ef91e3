import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { providerModels, providerTypes } from '../../../contract/agent.ts';
import { createEgress } from '../../../server/platform/egress/egress.ts';
import { type AgentModelSettings, createModels, type ModelsOptions } from '../../../server/platform/llm/choose-model.ts';
import type { LanguageModel, ModelRequest } from '../../../server/platform/llm/language-model.ts';
import { providerAddresses } from '../../../server/platform/llm/provider-addresses.ts';
import { sdkModel } from '../../../server/platform/llm/sdk/sdk-model.ts';
import { simulatedModel } from '../../../server/platform/llm/simulated/simulated-model.ts';
import { toLanguageModel } from '../../../server/platform/llm/to-language-model.ts';
import { withRetries } from '../../../server/platform/llm/with-retries.ts';
import { asOwner } from '../../../server/platform/owner-id.ts';
import { type ModelServer, startModelServer } from '../../support/services/model-server.ts';

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
  earlier: [],
  contexts: [],
  language: 'en',
  temperature: 0.3,
  maxTokens: 500,
  idempotencyKey: 'execution:step',
};

const local = () => {
  const call = createEgress({ allowPrivate: true, proxies: null });
  return toLanguageModel(sdkModel({ provider: 'openai', baseUrl: models.url, apiKey: 'sk-secret', model: 'm', call }));
};

describe('trying again', () => {
  const retry = (model: LanguageModel, restMs = 600_000) => {
    const waits: number[] = [];
    const retried: string[] = [];
    const { signal } = new AbortController();
    const outcome = withRetries(() => model.answer(request, signal, () => {}), {
      signal,
      onRetry: async ({ code }) => void retried.push(code),
      backoffMs: 1_000,
      restMs: () => restMs,
      wait: async (ms) => void waits.push(ms),
    });
    return { outcome, waits, retried };
  };

  test('W8.04 a call is tried three times at most, and each wait is twice as long', async () => {
    models.answer({ kind: 'status', status: 500 });
    const { outcome, waits, retried } = retry(local());
    expect(await outcome).toMatchObject({ ok: false, error: { code: 'model_unavailable' } });
    expect(models.calls).toHaveLength(3);
    expect(waits).toEqual([1_000, 2_000]);
    expect(retried).toEqual(['model_unavailable', 'model_unavailable']);
  });

  test('W8.04 M2.29 a retry waits as long as the server asks for, as far as the time of the step allows', async () => {
    models.answer((call) => ({ kind: 'status', status: 429, retryAfter: call.number === 1 ? '90' : '86400' }));
    const { outcome, waits } = retry(local());
    expect(await outcome).toMatchObject({ ok: false, error: { code: 'model_rate_limited', retryAfterMs: 86_400_000 } });
    expect(waits).toEqual([90_000]);
    expect(models.calls).toHaveLength(2);
  });

  test('W8.04 a permanent failure is not tried again', async () => {
    models.answer({ kind: 'status', status: 401 });
    const { outcome } = retry(local());
    expect(await outcome).toMatchObject({ ok: false, error: { code: 'model_unauthorized' } });
    expect(models.calls).toHaveLength(1);
  });

  test('W4.08 an abort during a wait for the next attempt ends the wait', async () => {
    models.answer({ kind: 'status', status: 500 });
    const stop = new AbortController();
    const onRetry = async () => stop.abort();
    const outcome = await withRetries(() => local().answer(request, stop.signal, () => {}), {
      signal: stop.signal,
      onRetry,
      backoffMs: 60_000,
      restMs: () => 600_000,
    });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'aborted' } });
    expect(models.calls).toHaveLength(1);
  });
});

describe('the choice of a model', () => {
  const settings: AgentModelSettings = {
    providerType: 'openai',
    model: 'gpt-4',
    temperature: 0.7,
    maxTokens: 4_000,
    baseUrl: null,
    folderId: null,
    apiKey: null,
    isOwnerVerified: true,
  };
  const nothing: ModelsOptions['serverWide'] = {
    openai: { apiKey: null, baseUrl: providerAddresses.openai },
    anthropic: { apiKey: null, baseUrl: providerAddresses.anthropic },
  };
  const lending = (provider: 'openai' | 'anthropic', change: object) => ({ ...nothing, [provider]: { ...nothing[provider], ...change } });
  const optionsWith = (serverWide: ModelsOptions['serverWide'], allowPrivateHosts: boolean, lendsToUnverified: boolean): ModelsOptions => ({
    serverWide,
    lendsToUnverified,
    callsPerKey: 16,
    gigaChat: { authUrl: 'http://127.0.0.1:1/oauth', scope: 'GIGACHAT_API_PERS' },
    allowPrivateHosts,
    proxies: null,
    simulated: simulatedModel({ durationMs: 0 }),
  });
  const choice = (
    serverWide: ModelsOptions['serverWide'],
    change: Partial<AgentModelSettings> = {},
    allowPrivateHosts = false,
    lendsToUnverified = false,
  ) => createModels(optionsWith(serverWide, allowPrivateHosts, lendsToUnverified)).choose({ ...settings, ...change }, asOwner('user'));
  const chosen = (...args: Parameters<typeof choice>) => {
    const made = choice(...args);
    if (!made.ok) throw new Error(`No model was chosen: ${made.error.code}.`);
    return made.value;
  };
  const brief = ({ provider, host, model }: LanguageModel) => ({ provider, host, model });
  const ask = (model: LanguageModel) => model.answer(request, new AbortController().signal, () => {});
  const real = ['openai', 'anthropic', 'gigachat', 'yandexgpt'] as const;

  test('R25.01 an agent without any key gets the simulated model', () => {
    for (const providerType of [...real, 'simulated'] as const) {
      expect(chosen(nothing, { providerType })).toMatchObject({ provider: 'simulated', host: null, simulated: true });
    }
  });

  test('M2.07 the choice of a model uses nothing that another account has made the same server say', async () => {
    models.answer({ kind: 'status', status: 400, message: 'The maximum context length is 300 tokens.' });
    const all = createModels(optionsWith(nothing, true, false));
    const choiceOf = (userId: string) => {
      const made = all.choose({ ...settings, baseUrl: models.url, apiKey: 'key-of-the-agent' }, asOwner(userId));
      if (!made.ok) throw new Error(`No model was chosen: ${made.error.code}.`);
      return made.value;
    };
    await ask(choiceOf('one'));
    expect([choiceOf('one').contextWindow, choiceOf('another').contextWindow]).toEqual([300, null]);
  });

  test.each([
    ['openai', 'api.openai.com'],
    ['anthropic', 'api.anthropic.com'],
    ['gigachat', 'gigachat.devices.sberbank.ru'],
    ['yandexgpt', 'llm.api.cloud.yandex.net'],
  ] as const)('R25.01 an agent’s model of %s is called at %s with the agent’s own key', (providerType, host) => {
    const own = { providerType, apiKey: 'key-of-the-agent', folderId: 'b1gfolder' };
    expect(chosen(nothing, own)).toMatchObject({ provider: providerType, host, simulated: false });
    expect(chosen(nothing, { ...own, baseUrl: 'https://gateway.example:8443/v1' })).toMatchObject({ host: 'gateway.example:8443' });
  });

  test('R25.01 an agent without an address of its own gets the operator’s server with the operator’s key', () => {
    expect(brief(chosen(lending('openai', { apiKey: 'sk-server' })))).toEqual({
      ...{ provider: 'openai', host: 'api.openai.com', model: 'gpt-4' },
    });
    expect(chosen(lending('openai', { baseUrl: 'http://localhost:11434/v1' }))).toMatchObject({ host: 'localhost:11434' });
    const claude = { providerType: 'anthropic', model: 'claude-3-opus' } as const;
    expect(chosen(lending('anthropic', { apiKey: 'sk-ant' }), claude)).toMatchObject({ host: 'api.anthropic.com' });
    expect(chosen(lending('anthropic', { baseUrl: 'http://localhost:4000' }), claude)).toMatchObject({ host: 'localhost:4000' });
    expect(chosen(lending('openai', { apiKey: 'sk-server' }), claude)).toMatchObject({ provider: 'simulated' });
  });

  test.each(['openai', 'anthropic'] as const)(
    'G8.11 the model with the operator’s key for %s is refused to an account without a confirmed address',
    (providerType) => {
      const unverified = { providerType, isOwnerVerified: false };
      const serverWide = lending(providerType, { apiKey: 'sk-server' });
      expect(choice(serverWide, unverified)).toEqual({ ok: false, error: { code: 'model_owner_unverified', transient: false } });
      expect(choice(serverWide, unverified, false, true)).toMatchObject({ ok: true, value: { usesOperatorKey: true } });
      expect(chosen(serverWide, { ...unverified, apiKey: 'own' })).not.toHaveProperty('usesOperatorKey');
      expect(chosen(nothing, unverified)).toMatchObject({ simulated: true });
      expect(chosen(lending(providerType, { baseUrl: 'http://localhost:11434/v1' }), unverified)).toMatchObject({
        host: 'localhost:11434',
      });
    },
  );

  describe('for an agent with an address of its own', () => {
    // The environment variables from which the providers' own libraries read their keys.
    const names = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY'] as const;
    beforeEach(() => {
      for (const name of names) process.env[name] = 'sk-of-the-operator';
    });
    afterEach(() => {
      for (const name of names) delete process.env[name];
    });

    test.each(['openai', 'anthropic'] as const)(
      'R25.01 an agent with an address of its own gets that server of %s, which never sees the operator’s key',
      async (providerType) => {
        models.answer({ kind: 'text', text: 'Mine' });
        const serverWide = lending(providerType, { apiKey: 'sk-of-the-operator' });
        await ask(chosen(serverWide, { providerType, baseUrl: models.url }, true));
        expect(models.calls).toHaveLength(1);
        expect(JSON.stringify(models.calls[0]?.headers)).not.toContain('sk-of-the-operator');
      },
    );
  });

  test.each(real)(
    'R25.01 a private address that a user of %s chose is refused, although the operator’s own private address is trusted',
    async (providerType) => {
      const own = { providerType, baseUrl: models.url, apiKey: 'key', folderId: 'b1g', model: 'm' };
      const outcome = await ask(chosen(lending('openai', { baseUrl: models.url }), own));
      // GigaChat's key goes to the operator's token server first, and there is none here.
      const code = providerType === 'gigachat' ? 'model_unreachable' : 'model_host_refused';
      expect(outcome).toMatchObject({ ok: false, error: { code } });
      expect(models.calls).toHaveLength(0);
    },
  );

  test('R25.01 an agent whose stored key cannot be decrypted gets no other model', () => {
    const shut = { code: 'model_key_unreadable', transient: false };
    for (const providerType of providerTypes) {
      if (providerType === 'simulated') continue;
      const lent = lending('openai', { apiKey: 'sk-server-wide' });
      expect(choice(lent, { providerType, keyUndecryptable: true })).toEqual({ ok: false, error: shut });
    }
  });

  test('R25.01 a model of YandexGPT needs a folder, or the whole address of a model', () => {
    const yandex = { providerType: 'yandexgpt', apiKey: 'key', model: 'yandexgpt' } as const;
    expect(choice(nothing, yandex)).toEqual({ ok: false, error: { code: 'model_folder_missing', transient: false } });
    const uri = (change: object) => chosen(nothing, { ...yandex, ...change }).model;
    expect(uri({ folderId: 'b1g' })).toBe('gpt://b1g/yandexgpt/latest');
    expect(uri({ folderId: 'b1g', model: 'yandexgpt/rc' })).toBe('gpt://b1g/yandexgpt/rc');
    expect(uri({ model: 'gpt://b1g/yandexgpt-lite/latest' })).toBe('gpt://b1g/yandexgpt-lite/latest');
  });

  test.each([
    ['openai', 'gpt-4', 'gpt-4'],
    ['openai', 'gpt-4-turbo', 'gpt-4-turbo'],
    ['openai', 'gpt-3.5-turbo', 'gpt-3.5-turbo'],
    ['anthropic', 'claude-3-opus', 'claude-opus-4-8'],
    ['anthropic', 'claude-3-sonnet', 'claude-sonnet-4-6'],
    ['anthropic', 'claude-3-haiku', 'claude-haiku-4-5'],
    ['yandexgpt', 'yandexgpt-lite', 'gpt://b1g/yandexgpt-lite/latest'],
    ['yandexgpt', 'yandexgpt', 'gpt://b1g/yandexgpt/latest'],
    ['anthropic', 'claude-3-opus-20240229', 'claude-3-opus-20240229'],
    ['openai', 'claude-3-opus', 'claude-3-opus'],
  ] as const)('W9.04 %s is asked for %s as %s', (providerType, model, id) => {
    expect(chosen(nothing, { providerType, model, apiKey: 'key', folderId: 'b1g' }).model).toBe(id);
  });

  test('W9.04 every provider has models to choose from, each name once', () => {
    for (const offered of Object.values<readonly { name: string }[]>(providerModels)) {
      const names = offered.map(({ name }) => name);
      expect(names.length).toBeGreaterThan(0);
      expect(new Set(names).size).toBe(names.length);
    }
    expect(Object.keys(providerModels).toSorted()).toEqual([...providerTypes].toSorted());
  });

  test.each([
    ['claude-haiku-4-5', 1.7, 1],
    ['claude-3-opus', 0.7, undefined],
    ['claude-3-5-sonnet-20241022', 0.7, 0.7],
    ['claude-sonnet-5-5', 0.7, undefined],
    ['some-other-model', 0.7, 0.7],
  ] as const)('R25.01 the Anthropic model %s gets a temperature only where it accepts a temperature', async (model, temperature, sent) => {
    models.answer({ kind: 'text', text: 'In another protocol' });
    const claude = chosen(nothing, { providerType: 'anthropic', model, baseUrl: models.url }, true);
    await claude.answer({ ...request, temperature }, new AbortController().signal, () => {});
    expect(models.calls[0]?.body.temperature).toBe(sent);
  });
});
