import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createEgress } from '../../../../server/platform/egress/egress.ts';
import type { Conversation } from '../../../../server/platform/llm/language-model.ts';
import { createModelTraits, type ModelTraits } from '../../../../server/platform/llm/model-traits.ts';
import { sdkModel } from '../../../../server/platform/llm/sdk/sdk-model.ts';
import { type Answered, type Asked, eventsOf, type StrictServer, startStrictServer } from './strict-server.ts';

export const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
export const chunk = (delta: unknown, finish_reason: string | null = null, more: object = {}) => ({
  ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' },
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
});
export const stop = chunk({}, 'stop');
export const done = '[DONE]';
export const said = (...texts: string[]) => eventsOf(...texts.map((content) => chunk({ content })), stop, done);

export const talk: Conversation = {
  messages: [{ role: 'user', content: 'When do they meet?' }],
  speaker: { role: 'qa', agentTitle: 'QA', language: 'en' },
  ...{ temperature: 0.7, maxTokens: 500, idempotencyKey: 'talk' },
};
export const tools = [
  { name: 'echo', description: 'Repeats a text.', parameters: { type: 'object', properties: { text: { type: 'string' } } } },
];

type Asking = {
  provider?: 'openai' | 'anthropic' | 'google';
  conversation?: Conversation;
  traits?: ModelTraits;
  model?: string;
  extraBody?: Record<string, unknown>;
};

/** Starts a strict server for the tests of a file, and asks models of it. */
export function setUpStrictModel() {
  let script: (asked: Asked) => Answered;
  let server: StrictServer;
  beforeAll(async () => {
    server = await startStrictServer((asked) => script(asked));
  });
  afterAll(() => server.close());
  beforeEach(() => {
    server.asked.length = 0;
  });

  const answerWith = (answer: Answered | ((asked: Asked) => Answered)) => {
    script = typeof answer === 'function' ? answer : () => answer;
  };
  const ask = async (
    answer: Answered | ((asked: Asked) => Answered),
    { provider = 'openai', conversation = talk, traits, model = 'm', extraBody }: Asking = {},
  ) => {
    answerWith(answer);
    const call = createEgress({ allowPrivate: true, proxies: null });
    const made = sdkModel({
      provider,
      baseUrl: server.url,
      apiKey: 'key-0123456789',
      model,
      call,
      traits: traits ?? createModelTraits(null).of('account'),
      connection: { headers: {}, extraBody: extraBody ?? null },
    });
    return made.converse(conversation, new AbortController().signal, () => {});
  };
  const answerOf = async (...asking: Parameters<typeof ask>) => {
    const outcome = await ask(...asking);
    if (!outcome.ok) throw new Error(`No answer: ${JSON.stringify(outcome.error)}.`);
    return outcome.value;
  };
  const failureOf = async (...asking: Parameters<typeof ask>) => {
    const outcome = await ask(...asking);
    if (outcome.ok) throw new Error(`An answer: ${outcome.value.text}.`);
    return outcome.error;
  };
  return { url: () => server.url, asked: () => server.asked, answerWith, ask, answerOf, failureOf };
}
