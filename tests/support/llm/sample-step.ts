import type { ModelRequest, ModelTurn, ToolDefinition } from '../../../server/platform/llm/language-model.ts';

export const readTool: ToolDefinition = {
  name: 'read_earlier_result',
  description: 'Reads a result again.',
  parameters: { type: 'object', properties: { result: { type: 'integer' }, offset: { type: 'integer' } } },
};

/** A turn of a model that calls one tool, with its result. */
export function sampleTurn(at: number, result: string, more: Partial<ModelTurn['calls'][number]> = {}): ModelTurn {
  const call = { id: `call_${at}`, name: 'read_file', arguments: JSON.stringify({ path: `src/part-${at}.ts` }), result, isError: false };
  return { text: `I read part ${at}.`, calls: [{ ...call, ...more }] };
}

/** A developer's request with turns. */
export function sampleRequest(turns: readonly ModelTurn[], more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    ...{
      role: 'developer',
      agentTitle: 'Developer',
      systemPrompt: 'You write code.',
      task: 'Add a page of prices.',
      earlier: [],
      contexts: [],
    },
    ...{ language: 'en', temperature: null, maxTokens: null, idempotencyKey: 'run:step' },
    tools: [{ name: 'read_file', description: 'Reads a file.', parameters: { type: 'object', properties: { path: { type: 'string' } } } }],
    ...(turns.length > 0 && { turns }),
    ...more,
  };
}

/** Text of about so many tokens by the estimate. */
export function sampleText(words: number, word = 'price'): string {
  return Array.from({ length: words }, (_, at) => (at % 12 === 11 ? `${word}\n` : word)).join(' ');
}
