import type { Answer, Egress } from '../../../server/platform/egress/egress.ts';
import { createScrubber } from '../../../server/platform/egress/scrubber.ts';
import { countTokens } from '../../../server/platform/llm/fit/count-tokens.ts';
import { type CachedInput, PrefixCache, type PromptBlock } from './prefix-cache.ts';

/** What the provider answers next: a text, or calls of tools. */
export type CachingReply = { text: string; calls?: readonly { name: string; args: object }[] };

type Body = {
  tools?: readonly object[];
  system?: string | readonly Part[];
  messages: readonly { role: string; content?: string | readonly Part[] | null; [field: string]: unknown }[];
};
type Part = { [field: string]: unknown };

/** A model server behind an egress that counts which part of each prompt it has read before, and reports that as its usage. */
export function cachingProvider(protocol: 'chat' | 'anthropic', reply: (number: number) => CachingReply) {
  const cache = new PrefixCache();
  const inputs: CachedInput[] = [];
  const call: Egress = async (_address, request) => {
    const body = JSON.parse(String(request?.body)) as Body;
    const read = protocol === 'chat' ? cache.readAutomatically(blocksOfChat(body)) : cache.readUpToBorders(blocksOfAnthropic(body));
    inputs.push(read);
    const said = reply(inputs.length);
    return jsonAnswer(protocol === 'chat' ? chatAnswer(said, read, inputs.length) : anthropicAnswer(said, read, inputs.length));
  };
  const total = () => inputs.reduce((sum, { input, cached }) => ({ input: sum.input + input, cached: sum.cached + cached }), none);
  return { call, inputs, total, share: () => total().cached / total().input };
}

const none: CachedInput = { input: 0, cached: 0 };

function blocksOfChat({ tools = [], messages }: Body): PromptBlock[] {
  return [...tools, ...messages].map((part) => ({ text: JSON.stringify(part), isBorder: false }));
}

function blocksOfAnthropic({ tools = [], system = [], messages }: Body): PromptBlock[] {
  const parts = (content: string | readonly Part[] | null | undefined) =>
    typeof content === 'string' ? [{ text: content }] : (content ?? []);
  const ofMessages = messages.flatMap(({ role, content }) => parts(content).map((part) => ({ role, ...part })));
  return [...tools, ...parts(system), ...ofMessages].map((part) => {
    const { cache_control: border, ...read } = part as Part;
    return { text: JSON.stringify(read), isBorder: border !== undefined };
  });
}

function chatAnswer({ text, calls = [] }: CachingReply, { input, cached }: CachedInput, number: number): object {
  const tool_calls = calls.map(({ name, args }, at) => ({
    ...{ id: `call_${number}_${at}`, type: 'function' },
    function: { name, arguments: JSON.stringify(args) },
  }));
  const message = { role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls }) };
  const completion_tokens = countTokens(JSON.stringify(message));
  return {
    choices: [{ index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }],
    usage: { prompt_tokens: input, completion_tokens, prompt_tokens_details: { cached_tokens: cached } },
  };
}

function anthropicAnswer({ text, calls = [] }: CachingReply, { input, cached }: CachedInput, number: number): object {
  const uses = calls.map(({ name, args }, at) => ({ type: 'tool_use', id: `call_${number}_${at}`, name, input: args }));
  return {
    ...{ id: `message_${number}`, type: 'message', role: 'assistant', content: [{ type: 'text', text }, ...uses] },
    stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
    usage: { input_tokens: input - cached, cache_read_input_tokens: cached, output_tokens: countTokens(text) },
  };
}

function jsonAnswer(value: object): Answer {
  const bytes = Buffer.from(JSON.stringify(value));
  return {
    ...{ status: 200, ok: true, headers: { 'content-type': 'application/json' }, scrubber: createScrubber([]) },
    body: (async function* () {
      yield bytes;
    })(),
    text: async () => bytes.toString('utf8'),
  };
}
