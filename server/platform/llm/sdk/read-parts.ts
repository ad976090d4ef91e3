import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import { declinedFailure, failureOfEmpty, truncatedFailure } from '../classify-failure.ts';
import type { Hold, ModelAnswer, ModelFailure, ModelOutcome } from '../language-model.ts';
import { createToolCalls } from '../tool-calls.ts';
import type { Exchange } from './exchange.ts';
import { type KeptPart, type Source, writeKeptTurn } from './kept-turn.ts';

type Reading = {
  exchange: Exchange;
  source: Source;
  hold: Hold | undefined;
  /** Interprets an error inside the stream, an error of the connection, and a malformed answer. */
  failureOf: (error: unknown) => ModelFailure;
};

/** Reads the answer that the library streams. A failure says what the call has used. */
export async function readParts(stream: ReadableStream<LanguageModelV4StreamPart>, reading: Reading): Promise<ModelOutcome> {
  const { exchange, failureOf } = reading;
  const answer = new AnswerParts(reading);
  const failed = (error: ModelFailure): ModelOutcome => {
    return { ok: false, error: { ...error, used: { reported: exchange.usage, isWhole: exchange.isWhole } } };
  };
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      answer.add(value);
    }
    if (exchange.error !== null) throw exchange.error;
    const outcome = answer.end();
    return outcome.ok ? outcome : failed(outcome.error);
  } catch (error) {
    // Closes the connection. A server may be silent until then, so that it is not waited for.
    reader.cancel().catch(() => {});
    return failed(failureOf(error));
  }
}

class AnswerParts {
  private readonly reading: Reading;
  private readonly calls;
  private readonly parts: KeptPart[] = [];
  private readonly placeOfPart = new Map<string, KeptPart>();
  private readonly placeOfCall = new Map<string, number>();
  private finish: LanguageModelV4FinishReason = { unified: 'other', raw: undefined };
  private unread: unknown = null;

  constructor(reading: Reading) {
    this.reading = reading;
    this.calls = createToolCalls(reading.hold);
  }

  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
        this.addPart('text', part);
        return;
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        this.addPart('reasoning', part);
        return;
      case 'tool-input-start':
        this.addCall(part.id, part.toolName, '');
        return;
      case 'tool-input-delta':
        this.addCall(part.id, null, part.delta);
        return;
      case 'tool-call':
        if (!this.placeOfCall.has(part.toolCallId)) this.addCall(part.toolCallId, part.toolName, part.input);
        this.note(
          { ...part, type: 'tool-call', input: this.calls.kept(this.placeOfCall.get(part.toolCallId) ?? 0, part.input) },
          part.providerMetadata,
        );
        return;
      case 'finish':
        this.finish = part.finishReason;
        return;
      case 'error':
        // An event that the library cannot read matters only where there is no answer beside it.
        this.unread ??= part.error;
    }
  }

  private addPart(type: 'text' | 'reasoning', part: { id: string; delta?: string; providerMetadata?: SharedV4ProviderMetadata }): void {
    const name = `${type} ${part.id}`;
    const known = this.placeOfPart.get(name);
    const kept = known ?? this.note({ type, text: '' }, undefined);
    this.placeOfPart.set(name, kept);
    if (part.providerMetadata)
      kept.providerOptions = { ...kept.providerOptions, ...(part.providerMetadata as KeptPart['providerOptions']) };
    if (kept.type !== 'tool-call') kept.text += part.delta ?? '';
    this.reading.exchange.written.add(type === 'text' ? part.delta : '', type === 'reasoning' ? part.delta : '');
  }

  private addCall(id: string, name: string | null, written: string): void {
    const known = this.placeOfCall.get(id);
    const place = this.calls.add({ index: known ?? this.placeOfCall.size, id, name, arguments: written });
    this.placeOfCall.set(id, place);
  }

  private note(part: KeptPart, metadata: SharedV4ProviderMetadata | undefined): KeptPart {
    if (metadata) part.providerOptions = metadata as KeptPart['providerOptions'];
    this.parts.push(part);
    return part;
  }

  /** Returns the answer, or why there is none. */
  end(): ModelOutcome {
    const { finish } = this;
    const { exchange } = this.reading;
    const { written } = exchange;
    const failed = (error: ModelFailure): ModelOutcome => ({ ok: false, error });
    const isCut = finish.unified === 'length';
    written.end(isCut);
    if (finish.unified === 'content-filter') return failed(declinedFailure(written.text || (finish.raw ?? '')));
    const calls = exchange.scrubber.value(this.calls.finish(isCut));
    if (!exchange.isWhole || finish.unified === 'error' || finish.raw === 'error') return failed(truncatedFailure(written.text));
    if (written.text.trim() === '' && calls.length === 0) {
      if (this.unread !== null) throw this.unread;
      return failed(failureOfEmpty(isCut, written.reasoning, exchange.usage));
    }
    const answer: ModelAnswer = {
      text: written.text,
      thoughts: written.reasoning.trim() || null,
      usage: exchange.usage,
      finish: finish.raw === 'pause_turn' ? 'pause' : isCut ? 'length' : 'stop',
    };
    if (calls.length > 0) answer.calls = calls;
    if (calls.length > 0 || answer.finish !== 'stop') this.keep(answer);
    return { ok: true, value: answer };
  }

  /** Keeps a turn that the model goes on with, where its provider wants more of it back than text and calls. */
  private keep(answer: ModelAnswer): void {
    const { exchange, source } = this.reading;
    const { fields, fieldsOfCalls, scrubber } = exchange;
    const isPaused = answer.finish === 'pause';
    const fromFields = Object.keys(fields).length > 0 || fieldsOfCalls.length > 0;
    const parts = this.parts.filter((part) => part.type !== 'reasoning' || part.providerOptions);
    if (!fromFields && !isPaused && !parts.some((part) => part.providerOptions)) return;
    const content = fromFields ? contentOf(answer, fieldsOfCalls) : parts;
    answer.opaque = writeKeptTurn({
      from: [...source],
      content: scrubber.value(content),
      isPaused,
      options: fromFields ? { openaiCompatible: scrubber.value(fields) } : undefined,
    });
  }
}

/** The parts of a turn in chat completions: its text, and its calls with the fields that the server wants back. */
function contentOf({ text, calls = [] }: ModelAnswer, fields: Exchange['fieldsOfCalls']): KeptPart[] {
  const said: KeptPart[] = text === '' ? [] : [{ type: 'text', text }];
  const called = calls.map(({ id, name, arguments: input }, place): KeptPart => {
    const extra = fields[place];
    return { type: 'tool-call', toolCallId: id, toolName: name, input, providerOptions: extra && { openaiCompatible: extra } };
  });
  return [...said, ...called];
}
