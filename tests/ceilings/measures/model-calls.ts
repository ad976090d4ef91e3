import { takeMade } from '../probes/count-made.ts';
import { beginBlock, heldHeap } from '../probes/measure-heap.ts';
import { type Arrival, type CalledProtocol, type ScriptedAnswer, scriptAnswer, textOfAnswer } from './scripted-answers.ts';

/**
 * Run as a process of its own. Calls each protocol's model again and again, with an answer that comes from memory, and prints what a call has
 * allocated, and what the 101st call has made. The table `ceilings.ts` has the limits.
 */
export type CallCosts = { answer: Answer; protocol: CalledProtocol; answerKib: number; kib: number; schemas: number; streams: number };
type Answer = keyof typeof answers;

const { createScrubber } = await import('../../../server/platform/egress/scrubber.ts');
const { createAccessTokens } = await import('../../../server/platform/llm/gigachat/access-tokens.ts');
const { gigaChatModel } = await import('../../../server/platform/llm/gigachat/gigachat-model.ts');
const { createModelTraits } = await import('../../../server/platform/llm/model-traits.ts');
const { sdkModel } = await import('../../../server/platform/llm/sdk/sdk-model.ts');

/** The answers, with the calls of a block and those before the first one. */
const answers = {
  '1 piece': { pieces: 1, arrival: 'together', warmUp: 100, calls: 100 },
  '500 pieces': { pieces: 500, arrival: 'together', warmUp: 60, calls: 10 },
  '500 pieces one by one': { pieces: 500, arrival: 'one by one', warmUp: 60, calls: 10 },
} as const satisfies Record<string, { pieces: number; arrival: Arrival; warmUp: number; calls: number }>;
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
  const outcome = await model.converse(conversation, new AbortController().signal, () => {});
  if (!outcome.ok) throw new Error(`${protocol}: ${JSON.stringify(outcome.error)}`);
  return outcome.value.text;
}

/** Chunks arrive as from a socket, each in a turn of its own. A generator would allocate more for them than their reader. */
function bodyOf({ chunks }: ScriptedAnswer): AsyncIterable<Uint8Array> {
  let at = 0;
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    const value = chunks[at];
    at += 1;
    return value === undefined ? { value, done: true } : { value, done: false };
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

async function measure(protocol: CalledProtocol, name: Answer): Promise<CallCosts> {
  const { pieces, arrival, warmUp, calls } = answers[name];
  const answer = scriptAnswer(protocol, pieces, arrival);
  for (let call = 0; call < warmUp; call += 1) await ask(protocol, answer);
  takeMade();
  const text = await ask(protocol, answer);
  const made = takeMade();
  if (text.trim() !== textOfAnswer(pieces).trim()) throw new Error(`${protocol}: another answer has come: ${text.slice(0, 80)}`);
  await heldHeap();
  const found: number[] = [];
  for (let block = 0; found.length < blocks && block < maxBlocks; block += 1) {
    const end = await beginBlock();
    for (let call = 0; call < calls; call += 1) await ask(protocol, answer);
    const allocated = await end();
    if (allocated !== null) found.push(allocated / calls / 1_024);
  }
  if (found.length < blocks) throw new Error(`${protocol}: a collection was due in ${maxBlocks - found.length} of ${maxBlocks} blocks.`);
  return { answer: name, protocol, answerKib: answer.bytes / 1_024, kib: medianOf(found), ...made };
}

const medianOf = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] as number;

const costs: CallCosts[] = [];
for (const protocol of Object.keys(given) as CalledProtocol[])
  for (const name of Object.keys(answers) as Answer[]) costs.push(await measure(protocol, name));
process.stdout.write(JSON.stringify(costs));
