import type { Bus } from '../../platform/bus/bus.ts';
import { answerLimit } from '../../platform/llm/fit/answer-limit.ts';
import { failureOfWindow, readWindow } from '../../platform/llm/fit/window-of.ts';
import type { Conversation, LanguageModel, ModelAnswer, ModelOutcome, ModelTurn, OnWait } from '../../platform/llm/language-model.ts';
import { conversationOf as conversationOfTurn } from '../../platform/llm/prompt.ts';
import { withRetries } from '../../platform/llm/with-retries.ts';
import type { AgentModelConfig } from '../agents/index.ts';
import { canContinue, joinAnswer, streamText, writtenText } from '../executions/index.ts';
import { conversationOf, turnOf } from './command-prompt.ts';
import type { CommandRow } from './rows.ts';

type Calling = {
  bus: Pick<Bus, 'publish' | 'subscribe'>;
  /** The delay before the first retry of a model call (ms). */
  backoffMs: number;
  signal: AbortSignal;
  onWait: OnWait;
  /** Returns the time that is left for the command (ms). */
  restMs: () => number;
};

/**
 * Asks an agent's model what a command asks for, with retries, and shows its text as it comes. An answer that a limit has cut goes on by itself; a conversation
 * says itself how long its answer may be, and is told where that has cut it off.
 */
export async function askCommand(
  row: CommandRow,
  modelConfig: AgentModelConfig,
  model: LanguageModel,
  { bus, backoffMs, signal, onWait, restMs }: Calling,
): Promise<ModelOutcome> {
  const { id: commandId, userId, agentId, projectId } = row;
  const { simulated } = model;
  const partial = streamText(bus, userId, { agentId, projectId, executionId: null, stepId: null, commandId, simulated });
  const onText = (text: string) => partial.add(text);
  const window = await readWindow(model, signal);
  const maxTokens = answerLimit({ ...modelConfig, effort: null, model: model.model, window: window.tokens });
  const config = { ...modelConfig, maxTokens };
  const call = async (asked: Conversation, shown: string, attempt: () => Promise<ModelOutcome>): Promise<ModelOutcome> => {
    const error = failureOfWindow(asked, window.tokens, window.isLoaded);
    if (error) return { ok: false, error };
    const onRetry = async () => {
      partial.restart();
      if (shown !== '') partial.add(shown);
    };
    return withRetries(attempt, { signal, backoffMs, restMs, onRetry });
  };
  try {
    if (row.kind === 'openai') {
      const free = conversationOf(row, config);
      return await call(free, '', () => model.converse(free, signal, onText, onWait));
    }
    const turn = turnOf(row, config);
    return await askUntilWhole((parts) => {
      const asked = parts.length === 0 ? turn : { ...turn, turns: parts, idempotencyKey: `${turn.idempotencyKey}:${parts.length}` };
      const shown = parts.map(({ text }) => text).join('');
      return call(conversationOfTurn(asked), shown, () => model.answer(asked, signal, onText, onWait));
    }, window.tokens);
  } finally {
    partial.stop();
  }
}

/** A part of an answer that a limit has cut, as the model is given it back. */
type Part = ModelTurn & Pick<ModelAnswer, 'usage'> & { calls: [] };

/**
 * Asks until an answer has its end, as a step of a run does. `finish` of what is returned is `length` where it could not go on; a failure then leaves the parts.
 * `window`: that of the model (tokens).
 */
async function askUntilWhole(ask: (parts: readonly ModelTurn[]) => Promise<ModelOutcome>, window: number | null): Promise<ModelOutcome> {
  const parts: Part[] = [];
  const thoughts: string[] = [];
  for (;;) {
    const outcome = await ask(parts);
    if (!outcome.ok) return parts.length === 0 ? outcome : { ok: true, value: joinAnswer(parts, null, thoughts) };
    const { value } = outcome;
    if (value.calls || !canContinue(parts, value, window)) return { ok: true, value: joinAnswer(parts, value, thoughts) };
    parts.push({ text: writtenText(value), opaque: value.opaque ?? null, usage: value.usage, calls: [] });
    thoughts.push(value.written?.thoughts ?? '');
  }
}
