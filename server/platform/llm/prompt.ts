import en from '../../../locales/en/prompt.json' with { type: 'json' };
import ru from '../../../locales/ru/prompt.json' with { type: 'json' };
import { answerHeading } from './answer-section.ts';
import type { Conversation, ModelRequest } from './language-model.ts';

const words = { ru, en };

/** Builds the messages of an agent's turn: the agent's system prompt, then its task. */
export function conversationOf(turn: ModelRequest): Conversation {
  const { role, agentTitle, language, systemPrompt, temperature, maxTokens, idempotencyKey } = turn;
  return {
    messages: [...(systemPrompt ? [{ role: 'system' as const, content: systemPrompt }] : []), { role: 'user', content: userPrompt(turn) }],
    speaker: { role, agentTitle, language },
    turn,
    temperature,
    maxTokens,
    idempotencyKey,
  };
}

/**
 * Builds the user message of one agent's turn: the task, every earlier result in full and in order, added texts, each under
 * a heading in the run's language; then the required form of the answer and of files (R42), and forbidden claims.
 */
function userPrompt(request: Pick<ModelRequest, 'task' | 'earlier' | 'contexts' | 'language'>): string {
  const say = words[request.language];
  const parts = [`# ${say.task}\n\n${request.task}`];
  if (request.earlier.length > 0) {
    const results = request.earlier.map(({ title, text }) => `## ${title}\n\n${text}`);
    parts.push(`# ${say.earlier}\n\n${results.join('\n\n')}`);
  }
  if (request.contexts.length > 0) parts.push(`# ${say.contexts}\n\n${request.contexts.join('\n\n')}`);
  parts.push(say.turn, say.form.replace('{heading}', answerHeading(request.language)), say.files, say.honesty);
  return parts.join('\n\n');
}
