import en from '../../../../locales/en/content/prompt.json' with { type: 'json' };
import ru from '../../../../locales/ru/content/prompt.json' with { type: 'json' };
import type { Conversation, ModelRequest, ModelTurn } from '../language-model.ts';
import { commonLength } from '../prompt-length.ts';
import { beginningOfTokens, countTokens } from './count-tokens.ts';
import { roomOf, summaryTokens, type Window } from './fit-prompt.ts';

const words = { ru, en };

/** Tokens of headings and of the question. */
const formTokens = 400;
/** Tokens between the parts of a turn. */
const partTokens = 16;

/** The conversation in which a model summarises the first turns of a step, with its summary of the turns before. The longest texts are cut to fit. */
export function summaryConversation(
  request: ModelRequest,
  turns: readonly ModelTurn[],
  before: string | null,
  window: Window,
): Conversation {
  const { role, agentTitle, language, systemPrompt, temperature, maxTokens, effort, cacheKey } = request;
  const texts = [request.task, ...(before === null ? [] : [before]), ...turns.flatMap(textsOfTurn)];
  const room = roomOf(request, window) - formTokens - countTokens(systemPrompt) - partTokens * texts.length;
  const limit = commonLength(
    texts.map((text) => countTokens(text)),
    Math.max(room, 0),
  );
  const cut = (text: string) => (limit === Number.POSITIVE_INFINITY ? text : beginningOfTokens(text, limit));
  const asked = `${words[language].summarise}\n\n${texts.map(cut).join('\n\n')}`;
  return {
    messages: [...(systemPrompt ? [{ role: 'system' as const, content: systemPrompt }] : []), { role: 'user', content: asked }],
    speaker: { role, agentTitle, language },
    temperature,
    maxTokens,
    ...(effort !== undefined && { effort }),
    ...(cacheKey !== undefined && { cacheKey }),
    idempotencyKey: `${request.idempotencyKey}:summary`,
  };
}

/** Returns the summary as it stands in prompts: no longer than its part of the window. */
export function shortSummary(text: string, window: Window): string {
  return beginningOfTokens(text.trim(), summaryTokens(window.tokens));
}

function textsOfTurn({ text, calls }: ModelTurn): string[] {
  return [...(text === '' ? [] : [text]), ...calls.map(({ name, arguments: args, result }) => `${name} ${args}\n${result}`)];
}
