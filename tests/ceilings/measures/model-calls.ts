import { takeMade } from '../probes/count-made.ts';
import { beginBlock, heldHeap } from '../probes/measure-heap.ts';
import { type CalledProtocol, type ScriptedAnswer, scriptAnswer, textOfAnswer } from './scripted-answers.ts';

/**
 * Run as a process of its own. Calls each protocol's model again and again, with an answer that comes from memory, and prints what a call has
 * allocated, and what the 101st call has made. The table `ceilings.ts` has the limits.
 */
export type CallCosts = { protocol: CalledProtocol; pieces: number; answerKib: number; kib: number; schemas: number; streams: number };

const { createScrubber } = await import('../../../server/platform/egress/scrubber.ts');
const { createAccessTokens } = await import('../../../server/platform/llm/gigachat/access-tokens.ts');
const { gigaChatModel } = await import('../../../server/platform/llm/gigachat/gigachat-model.ts');
const { createModelTraits } = await import('../../../server/platform/llm/model-traits.ts');
const { sdkModel } = await import('../../../server/platform/llm/sdk/sdk-model.ts');

const warmUp = { 1: 100, 500: 20 } as const;
const calls = { 1: 100, 500: 4 } as const;
/** Blocks in which a collection was due do not count. */
const blocks = 6;
const maxBlocks = 18;

const traits = createModelTraits(null).of('user');
const tokens = createAccessTokens(
  async () => ({ ok: true, value: { value: 'a-token-of-gigachat', lifeMs: 3_600_000 } }),
  () => 0,
);
const scrubber = createScrubber([]);
const headers = { 'content-type': 'text/event-stream' };

const given = {
  chat: { provider: 'deepseek', baseUrl: 'http://models.test/v1', model: 'm' },
  gigachat: { provider: 'gigachat', baseUrl: 'http://models.test/api/v1', model: 'GigaChat' },
  responses: { provider: 'openai', baseUrl: 'https://api.openai.com', model: 'gpt-5.1' },
  anthropic: { provider: 'anthropic', baseUrl: 'http://models.test', model: 'claude-sonnet-4-6' },
  google: { provider: 'google', baseUrl: 'http://models.test', model: 'gemini-3-pro-preview' },
} as const;

/** Chooses a model as the server does for each step, and asks it. */
async function ask(protocol: CalledProtocol, answer: ScriptedAnswer): Promise<string> {
  const { provider, ...about } = given[protocol];
  const options = {
    ...{ ...about, traits },
    call: async () => ({ status: 200, ok: true, headers, scrubber, body: bodyOf(answer), text: async () => '' }),
  };
  const model =
    provider === 'gigachat'
      ? gigaChatModel({ ...options, key: 'a-key-of-gigachat', tokens })
      : sdkModel({ ...options, provider, apiKey: 'key-0123456789' });
  const conversation = {
    messages: [
      { role: 'system' as const, content: 'You write what others read.' },
      { role: 'user' as const, content: 'Write a short answer.' },
    ],
    ...{ temperature: null, maxTokens: null, idempotencyKey: 'run:step' },
    speaker: { role: 'developer', agentTitle: 'Developer', language: 'en' as const },
  };
  let heard = '';
  const outcome = await model.converse(conversation, new AbortController().signal, (text) => {
    heard += text;
  });
  if (!outcome.ok) throw new Error(`${protocol}: ${JSON.stringify(outcome.error)}`);
  if (outcome.value.text.trim() !== heard.trim()) throw new Error(`${protocol}: the text differs from what was heard.`);
  return outcome.value.text;
}

/** Chunks arrive as from a socket: each in a turn of its own. */
async function* bodyOf({ chunks }: ScriptedAnswer): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

async function measure(protocol: CalledProtocol, pieces: 1 | 500): Promise<CallCosts> {
  const answer = scriptAnswer(protocol, pieces);
  for (let call = 0; call < warmUp[pieces]; call += 1) await ask(protocol, answer);
  takeMade();
  const text = await ask(protocol, answer);
  const made = takeMade();
  if (text.trim() !== textOfAnswer(pieces).trim()) throw new Error(`${protocol}: another answer has come: ${text.slice(0, 80)}`);
  await heldHeap();
  const found: number[] = [];
  for (let block = 0; found.length < blocks && block < maxBlocks; block += 1) {
    const end = await beginBlock();
    for (let call = 0; call < calls[pieces]; call += 1) await ask(protocol, answer);
    const allocated = await end();
    if (allocated !== null) found.push(allocated / calls[pieces] / 1_024);
  }
  if (found.length < blocks) throw new Error(`${protocol}: a collection was due in ${maxBlocks - found.length} of ${maxBlocks} blocks.`);
  return { protocol, pieces, answerKib: answer.bytes / 1_024, kib: medianOf(found), ...made };
}

const medianOf = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] as number;

const costs: CallCosts[] = [];
for (const protocol of Object.keys(given) as CalledProtocol[])
  for (const pieces of [1, 500] as const) costs.push(await measure(protocol, pieces));
process.stdout.write(JSON.stringify(costs));
