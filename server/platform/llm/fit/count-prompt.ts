import type { Conversation, ModelImage, ModelRequest, ModelTurn, ToolDefinition } from '../language-model.ts';
import { conversationOf } from '../prompt.ts';
import { tokensPerImage, tokensPerMessage } from '../worst-case.ts';
import { countTokens } from './count-tokens.ts';

/** Characters of a provider's own form of a turn for one token: text, signatures and encrypted reasoning. */
const opaqueCharactersPerToken = 4;

/** Estimates the tokens of a request as it is sent, from above: messages, tools, turns and images. */
export function countPrompt(request: ModelRequest): number {
  return countConversation(conversationOf(request));
}

export function countConversation({ messages, tools = [], turns = [] }: Conversation): number {
  const asked = sumOf(messages, ({ content, images }) => tokensPerMessage + countTokens(content) + countImages(images));
  return asked + sumOf(tools, countTool) + sumOf(turns, countTurn);
}

function countTool(tool: ToolDefinition): number {
  return tokensPerMessage + countTokens(JSON.stringify(tool));
}

function countTurn({ text, opaque, calls }: ModelTurn): number {
  const said = countTokens(text) + sumOf(calls, (call) => countTokens(call.name) + countTokens(call.arguments));
  const own = Math.ceil((opaque?.length ?? 0) / opaqueCharactersPerToken);
  return tokensPerMessage + Math.max(said, own) + sumOf(calls, countResult);
}

/** The tokens of a call's result with its images. */
export function countResult({ result, images }: ModelTurn['calls'][number]): number {
  return tokensPerMessage + countTokens(result) + countImages(images);
}

function countImages(images: readonly ModelImage[] = []): number {
  return tokensPerImage * images.length;
}

function sumOf<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + count(item), 0);
}
