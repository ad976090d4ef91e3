import { expect, test } from 'vitest';
import en from '../../../../locales/en/content/server.json' with { type: 'json' };
import ru from '../../../../locales/ru/content/server.json' with { type: 'json' };
import { problemOfFailure } from '../../../../server/modules/connections/problem-of.ts';
import { failureOfError } from '../../../../server/platform/llm/classify-failure.ts';
import { HttpFailure } from '../../../../server/platform/llm/http-failure.ts';

const failureOf = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  failureOfError(
    new HttpFailure(status, typeof body === 'string' ? body : JSON.stringify(body), headers),
    new AbortController().signal,
    null,
  );
const error = (message: string, more: object = {}) => ({ error: { message, ...more } });
const google = (code: number, message: string, status: string, reason?: string) => [
  error(message, { code, status, details: reason === undefined ? [] : [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }] }),
];

test.each<[string, number, unknown]>([
  ['Google', 400, google(400, 'API key not valid. Please pass a valid API key.', 'INVALID_ARGUMENT', 'API_KEY_INVALID')],
  ['Google, an old one', 400, google(400, 'API key expired. Please renew the API key.', 'INVALID_ARGUMENT', 'API_KEY_INVALID')],
  ['Google, a published one', 403, google(403, 'Your API key was reported as leaked. Please use another API key.', 'PERMISSION_DENIED')],
  [
    'Google, none',
    403,
    google(
      403,
      "Method doesn't allow unregistered callers. Please use API Key or other form of API consumer identity.",
      'PERMISSION_DENIED',
    ),
  ],
  [
    'xAI',
    400,
    {
      code: 'Client specified an invalid argument',
      error: 'Incorrect API key provided: xa***. You can obtain an API key from https://console.x.ai.',
    },
  ],
  ['OpenAI', 401, error('Incorrect API key provided: sk-***.', { code: 'invalid_api_key' })],
  [
    'Azure',
    401,
    error(
      'Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription.',
      { code: '401' },
    ),
  ],
  ['Azure, none', 401, { statusCode: 401, message: 'Access denied due to missing subscription key.' }],
  ['a proxy', 403, '<html><title>403 Forbidden</title></html>'],
])('M2.13 a wrong key is told as that: %s', (_name, status, body) => {
  expect(failureOf(status, body).code).toBe('model_unauthorized');
});

test.each<[string, number, unknown]>([
  [
    'OpenAI',
    403,
    error('Country, region, or territory not supported', { code: 'unsupported_country_region_territory', type: 'request_forbidden' }),
  ],
  ['Google', 400, google(400, 'User location is not supported for the API use.', 'FAILED_PRECONDITION')],
  [
    'Google, free calls',
    400,
    google(400, 'Gemini API free tier is not available in your country. Please enable billing on your project.', 'FAILED_PRECONDITION'),
  ],
  ['Anthropic', 403, { error: { type: 'forbidden', message: 'Request not allowed' } }],
  ['a law', 451, ''],
])('M2.13 a region that a provider does not serve is told as that: %s', (_name, status, body) => {
  expect(failureOf(status, body).code).toBe('model_region_refused');
});

test.each<[string, number, unknown]>([
  [
    'xAI, a new team',
    403,
    {
      code: 'The caller does not have permission to execute the specified operation',
      error: "Your newly created team doesn't have any credits or licenses yet.",
    },
  ],
  [
    'xAI, a limit',
    403,
    { code: 'permission-denied', error: 'Your team x has either used all available credits or reached its monthly spending limit.' },
  ],
  ['xAI, credits', 403, { error: 'You have run out of credits or need a Grok subscription.' }],
  ['OpenRouter, a key', 403, error('Key limit exceeded (total limit). Manage it using https://openrouter.ai/settings/keys', { code: 403 })],
  ['OpenRouter', 402, error('This request requires more credits, or fewer max_tokens.', { code: 402 })],
  [
    'Anthropic, a limit',
    400,
    error('You have reached your specified API usage limits. You will regain access on 2026-12-01.', { type: 'invalid_request_error' }),
  ],
  ['OpenAI', 429, error('You exceeded your current quota, please check your plan and billing details.', { code: 'insufficient_quota' })],
  ['OpenAI, an account', 429, error('Your account is not active, please check your billing details.', { code: 'billing_not_active' })],
  ['OpenAI, a hard limit', 400, error('Billing hard limit has been reached', { code: 'billing_hard_limit_reached' })],
  ['DeepSeek', 402, error('Insufficient Balance')],
])('M2.13 an empty account is told as that: %s', (_name, status, body) => {
  expect(failureOf(status, body)).toMatchObject({ code: 'model_quota_spent', transient: false });
});

test.each<[string, number, unknown]>([
  [
    'OpenRouter',
    403,
    error('openai/gpt-6 requires moderation on OpenAI. Your input was flagged for "harassment".', {
      metadata: { flagged_input: 'no credits' },
    }),
  ],
  ['OpenAI', 400, error('Invalid prompt: your prompt was flagged as potentially violating our usage policy.', { code: 'invalid_prompt' })],
  [
    'Azure',
    400,
    error("The response was filtered due to the prompt triggering Azure OpenAI's content management policy.", { code: 'content_filter' }),
  ],
  ['Anthropic', 400, error('Output blocked by content filtering policy', { type: 'invalid_request_error' })],
  [
    'xAI',
    403,
    {
      code: 'The caller does not have permission to execute the specified operation',
      error: 'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO',
    },
  ],
  ['DeepSeek', 400, error('Content Exists Risk')],
])('M2.13 a moderation is told as that, with its words: %s', (_name, status, body) => {
  expect(failureOf(status, body)).toMatchObject({ code: 'model_declined', detail: expect.any(String) });
});

test.each<[string, number, unknown]>([
  ['Yandex Cloud', 403, error('Permission to [resource-manager.folder b1g, resource-manager.cloud b1c] denied', { grpcCode: 7 })],
  ['OpenAI, a model', 403, error('Project `proj_x` does not have access to model `gpt-6.1-sol`', { code: 'model_not_found' })],
  ['OpenAI, a scope', 401, error('You have insufficient permissions for this operation. Missing scopes: model.request')],
  [
    'Google, a service',
    403,
    google(
      403,
      'Generative Language API has not been used in project 1 before or it is disabled.',
      'PERMISSION_DENIED',
      'SERVICE_DISABLED',
    ),
  ],
  ['GigaChat', 403, { status: 403, message: 'Permission denied' }],
])('M2.13 a missing right is told as that: %s', (_name, status, body) => {
  expect(failureOf(status, body).code).toBe('model_forbidden');
});

test.each<[string, number, unknown]>([
  [
    'OpenAI',
    400,
    error('Your input exceeds the context window of this model. Please adjust your input and try again.', {
      code: 'context_length_exceeded',
    }),
  ],
  ['GigaChat', 422, { status: 422, message: 'Prompt tokens exceed the context of the model' }],
  ['GigaChat, in Russian', 422, { status: 422, message: 'Превышено максимальное число токенов' }],
  ['Groq', 400, error('Please reduce the length of the messages or completion.', { code: 'context_length_exceeded' })],
  [
    'Groq, a minute',
    413,
    error('Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 7000, please reduce your message size.'),
  ],
  ['Anthropic', 413, error('Request exceeds the maximum size', { type: 'request_too_large' })],
  ['Bedrock', 400, { message: 'Input is too long for requested model.' }],
  ['MiniMax', 400, error('invalid params, context window exceeds limit')],
  [
    'LM Studio',
    400,
    {
      error:
        'Trying to keep the first 5000 tokens when context the overflows. The number of tokens to keep from the initial prompt is greater than the context length.',
    },
  ],
])('M2.13 a prompt that is too long is told as that, also without numbers: %s', (_name, status, body) => {
  const failure = failureOf(status, body);
  expect(failure).toMatchObject({ code: 'prompt_over_window', transient: false });
  expect(failure).not.toHaveProperty('tokens');
});

test.each<[string, number, unknown, string]>([
  ['Mistral', 400, { object: 'error', message: 'Invalid model: mistral-9', type: 'invalid_model', code: '1500' }, 'model_not_found'],
  ['OpenRouter', 400, error('x/y is not a valid model ID', { code: 400 }), 'model_not_found'],
  [
    'Groq, an old model',
    400,
    error('The model `x` has been decommissioned and is no longer supported.', { code: 'model_decommissioned' }),
    'model_not_found',
  ],
  [
    'Groq, a call',
    400,
    error("Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.", {
      code: 'tool_use_failed',
      failed_generation: 'permission denied',
    }),
    'model_bad_call',
  ],
  [
    'a limit of calls',
    429,
    error('Rate limit reached for gpt-6 on tokens per min (TPM). Add a payment method at https://platform.openai.com/account/billing.'),
    'model_rate_limited',
  ],
  ['a limit of hours', 429, error('Usage limit reached for 5 hour. Your limit will reset at 20:00.'), 'model_rate_limited'],
  ['a limit of an hour', 429, error("you've reached your hourly usage limit"), 'model_rate_limited'],
  [
    'words of a prompt',
    422,
    { detail: [{ type: 'extra_forbidden', msg: 'Extra inputs are not permitted', input: [{ content: 'check the content filter' }] }] },
    'model_rejected',
  ],
  ['a tool', 400, error("Invalid 'tools[0].function.name': string does not match pattern."), 'model_rejected'],
  ['a length of the answer', 400, error('max_tokens is too large: 9. The prompt is too long for max_tokens.'), 'model_rejected'],
])('M2.13 other mistakes are told as what they are: %s', (_name, status, body, code) => {
  expect(failureOf(status, body).code).toBe(code);
});

test('M2.13 the test of a connection says how to trust a certificate, and reports other mistakes as calls do', () => {
  const untrusted = Object.assign(new Error('A certificate.'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' });
  const failure = failureOfError(untrusted, new AbortController().signal, null);
  expect(problemOfFailure(failure).reason).toBe('untrusted');
  for (const { 'problem.untrusted': text } of [en, ru]) expect(text).toMatch(/NODE_EXTRA_CA_CERTS.*GigaChat/);
  expect(problemOfFailure(failureOf(403, error('Permission to [resource-manager.folder b1g] denied'))).reason).toBe('forbidden');
  expect(problemOfFailure(failureOf(403, error('x', { code: 'unsupported_country_region_territory' }))).reason).toBe('region');
});
