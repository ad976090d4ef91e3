import { randomUUID } from 'node:crypto';
import type { GoogleLanguageModel } from '@ai-sdk/google/internal';
import type { SharedV4ProviderMetadata } from '@ai-sdk/provider';
import { z } from 'zod';
import { tokenCount, toTokenUsage } from '../token-count.ts';
import { type AnswerReader, type Protocol, refuseError } from './protocol.ts';
import type { Ending, ReceivedAnswer } from './received-answer.ts';

const usage = z.object({
  promptTokenCount: tokenCount,
  toolUsePromptTokenCount: tokenCount,
  candidatesTokenCount: tokenCount,
  thoughtsTokenCount: tokenCount,
  cachedContentTokenCount: tokenCount,
});

type Usage = z.infer<typeof usage>;

/** Parts of other kinds have none of these. */
const part = z.object({
  text: z.string().nullish(),
  thought: z.boolean().nullish(),
  thoughtSignature: z.string().nullish(),
  functionCall: z.object({ id: z.string().nullish(), name: z.string().nullish(), args: z.unknown().optional() }).nullish(),
});
const candidate = z.object({ index: z.number().nullish(), finishReason: z.string().nullish(), content: z.unknown().optional() });
const content = z.object({ parts: z.array(z.unknown()).nullish() }).nullish();

const event = z.object({
  candidates: z.array(candidate).nullish(),
  promptFeedback: z.object({ blockReason: z.string().nullish() }).nullish(),
  usageMetadata: usage.nullish().catch(null),
});

/** Google's words for an answer that its limit has cut off, that was withheld, and that has failed. */
const endings: Record<string, Ending> = {
  MAX_TOKENS: 'length',
  CONTINUATION: 'length',
  IMAGE_SAFETY: 'declined',
  RECITATION: 'declined',
  SAFETY: 'declined',
  BLOCKLIST: 'declined',
  PROHIBITED_CONTENT: 'declined',
  SPII: 'declined',
  MALFORMED_FUNCTION_CALL: 'badCall',
  UNEXPECTED_TOOL_CALL: 'badCall',
  TOO_MANY_TOOL_CALLS: 'badCall',
  MALFORMED_RESPONSE: 'failed',
};

type Config = Parameters<typeof GoogleLanguageModel.prepareRequest>[0]['config'];
/** The library prepares requests only, and never sends one. */
const config: Config = { provider: 'google.generative-ai', baseURL: '', generateId: randomUUID };

/** Google's Gemini API. */
export const google: Protocol = {
  options: () => ({}),
  async request(model, options) {
    const { GoogleLanguageModel } = await import('@ai-sdk/google/internal');
    const { args } = await GoogleLanguageModel.prepareRequest({ modelId: model, config, options, isStreaming: true });
    return { path: `/${model.includes('/') ? model : `models/${model}`}:streamGenerateContent`, query: { alt: 'sse' }, body: args };
  },
  *eventsOf(body) {
    for (const one of Array.isArray(body) ? body : [body]) yield one;
  },
  read: (answer) => new GoogleReader(answer),
};

class GoogleReader implements AnswerReader {
  readonly #answer: ReceivedAnswer;
  /** The part that further text is added to. */
  #open: { type: 'text' | 'reasoning'; id: string } | null = null;
  #parts = 0;
  #isBlocked = false;

  constructor(answer: ReceivedAnswer) {
    this.#answer = answer;
  }

  take(data: unknown): string | null {
    const plain = this.#isBlocked ? null : plainPiece(data);
    if (plain !== null) {
      if (plain.spent) this.#count(plain.spent);
      this.addText(plain.text);
      return plain.text;
    }
    refuseError(data);
    const { usageMetadata: spent, promptFeedback, candidates } = event.parse(data);
    if (spent) this.#count(spent);
    const blocked = promptFeedback?.blockReason;
    if (blocked) this.#answer.isWhole = true;
    if (blocked && !/^BLOCK(?:ED)?_REASON_UNSPECIFIED$/.test(blocked)) {
      this.#isBlocked = true;
      this.#answer.explanation = explanationOf(data);
      this.#answer.finish('declined', blocked);
    }
    // Further candidates are other answers to the same question.
    const first = candidates?.find(({ index }) => (index ?? 0) === 0);
    if (first?.finishReason) this.#answer.isWhole = true;
    const ending = endings[first?.finishReason ?? ''];
    if (ending === 'declined' || ending === 'badCall') this.#answer.explanation = explanationOf(data);
    if (!first || this.#isBlocked) return null;
    const isRead = this.#addContent(first.content);
    // What cannot be read may be a call. The answer is asked for again, where this is its end.
    if (first.finishReason) this.#answer.finish(isRead ? (endings[first.finishReason] ?? 'stop') : 'failed', first.finishReason);
    return null;
  }

  addText(text: string): void {
    this.#addText('text', text, undefined);
  }

  /** Adds what can be read of a content, and returns whether that is all of it. */
  #addContent(given: unknown): boolean {
    const read = content.safeParse(given);
    const parts = (read.data?.parts ?? []).map((one) => part.safeParse(one));
    for (const { data, error } of parts) {
      if (data) this.#add(data);
      else this.#answer.unreadable ??= error;
    }
    if (!read.success) this.#answer.unreadable ??= read.error;
    return read.success && parts.every(({ success }) => success);
  }

  #count(spent: Usage): void {
    if (spent.promptTokenCount == null && spent.candidatesTokenCount == null) return;
    const prompt = (spent.promptTokenCount ?? 0) + (spent.toolUsePromptTokenCount ?? 0);
    const thoughts = spent.thoughtsTokenCount ?? 0;
    this.#answer.usage = toTokenUsage(prompt, (spent.candidatesTokenCount ?? 0) + thoughts, {
      cached: spent.cachedContentTokenCount,
      reasoning: thoughts,
    });
  }

  #add({ text, thought, thoughtSignature, functionCall: call }: z.infer<typeof part>): void {
    const wantedBack: SharedV4ProviderMetadata | undefined = thoughtSignature ? { google: { thoughtSignature } } : undefined;
    if (text != null && !call?.name) {
      if (text !== '') this.#addText(thought ? 'reasoning' : 'text', text, wantedBack);
      else if (wantedBack) this.#addSignature(thought ? 'reasoning' : 'text', wantedBack);
      return;
    }
    if (text) this.#addText(thought ? 'reasoning' : 'text', text, undefined);
    // A part of another kind ends the text before it.
    this.#open = null;
    if (!call?.name) return;
    const written = typeof call.args === 'string' ? call.args : JSON.stringify(call.args ?? {});
    this.#answer.endCall(call.id || randomUUID(), call.name, written, wantedBack);
  }

  /** A signature without text belongs to the text before it. */
  #addSignature(type: 'text' | 'reasoning', wantedBack: SharedV4ProviderMetadata): void {
    if (this.#open?.type === 'text') this.#answer.addToPart('text', this.#open.id, '', wantedBack);
    else {
      this.#open = null;
      this.#answer.addToPart(type, this.#nextId(), '', wantedBack);
    }
  }

  #addText(type: 'text' | 'reasoning', text: string, wantedBack: SharedV4ProviderMetadata | undefined): void {
    if (this.#open?.type !== type) this.#open = { type, id: this.#nextId() };
    this.#answer.addToPart(type, this.#open.id, text, wantedBack);
  }

  #nextId(): string {
    this.#parts += 1;
    return String(this.#parts);
  }
}

const words = z.string().nullish().catch(null);
/** What Google says about an answer that it has withheld, or a call that it could not read. */
const explained = z.object({
  promptFeedback: z.object({ blockReasonMessage: words }).nullish().catch(null),
  candidates: z
    .array(
      z.object({
        finishMessage: words,
        safetyRatings: z
          .array(z.object({ category: z.string(), blocked: z.boolean().nullish() }))
          .nullish()
          .catch(null),
      }),
    )
    .nullish()
    .catch(null),
});

/** Returns the words of an event about its end, or the categories that were blocked. An empty text where it has none. */
function explanationOf(data: unknown): string {
  const { promptFeedback, candidates } = explained.safeParse(data).data ?? {};
  const first = candidates?.[0];
  const blocked = (first?.safetyRatings ?? []).filter((one) => one.blocked).map(({ category }) => category);
  return promptFeedback?.blockReasonMessage || first?.finishMessage || blocked.join(', ');
}

type Piece = {
  candidates?: { index?: unknown; finishReason?: unknown; content?: { parts?: Record<string, unknown>[] } | null }[];
  promptFeedback?: unknown;
  error?: unknown;
  usageMetadata?: unknown;
} | null;

/** Returns the text of a usual event: one part with a text alone, and counts. Most events are that, and a schema would take most of their time. */
function plainPiece(data: unknown): { text: string; spent: Usage | null } | null {
  const { candidates, promptFeedback, error, usageMetadata: spent } = Object(data) as NonNullable<Piece>;
  if (promptFeedback != null || error != null || !Array.isArray(candidates) || candidates.length !== 1) return null;
  const { index, finishReason, content: said } = candidates[0] ?? {};
  const parts = said?.parts;
  if ((index ?? 0) !== 0 || finishReason != null || !Array.isArray(parts) || parts.length !== 1) return null;
  const [only] = parts;
  if (typeof only !== 'object' || only === null) return null;
  for (const name in only) if (name !== 'text') return null;
  if (typeof only.text !== 'string' || only.text === '' || !(spent == null || isCounted(spent))) return null;
  return { text: only.text, spent: spent ?? null };
}

function isCounted(spent: unknown): spent is Usage {
  if (typeof spent !== 'object' || spent === null) return false;
  const { promptTokenCount, toolUsePromptTokenCount, candidatesTokenCount, thoughtsTokenCount, cachedContentTokenCount } = spent as Usage;
  return (
    isCount(promptTokenCount) &&
    isCount(toolUsePromptTokenCount) &&
    isCount(candidatesTokenCount) &&
    isCount(thoughtsTokenCount) &&
    isCount(cachedContentTokenCount)
  );
}

function isCount(value: unknown): boolean {
  return value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0);
}
