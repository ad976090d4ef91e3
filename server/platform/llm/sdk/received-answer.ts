import type { SharedV4ProviderMetadata } from '@ai-sdk/provider';
import type { TokenUsage } from '../../../../contract/common.ts';
import type { Money } from '../../../../contract/cost.ts';
import { createScrubber } from '../../egress/scrubber.ts';
import { createAnswerText } from '../answer-text.ts';
import { badCallFailure, declinedFailure, failureOfEmpty, truncatedFailure } from '../classify-failure.ts';
import type { Hold, ModelAnswer, ModelFailure, ModelOutcome, OnText } from '../language-model.ts';
import { isHome } from '../provider-addresses.ts';
import { createToolCalls } from '../tool-calls.ts';
import { type KeptPart, type Source, writeKeptTurn } from './kept-turn.ts';
import type { Fields } from './protocol.ts';

/** How an answer has ended, by whichever word of its server. `badCall`: the server could not read a call of the model. */
export type Ending = 'stop' | 'length' | 'declined' | 'failed' | 'badCall' | 'pause';

type TextPart = Exclude<KeptPart, { type: 'tool-call' }>;
type Reading = { source: Source; onText: OnText; hold: Hold | undefined; scrubber?: ReturnType<typeof createScrubber> };

/** What a server has answered so far. The reader of its protocol adds pieces as they come. */
export class ReceivedAnswer {
  /** As far as the server has counted. */
  usage: TokenUsage | null = null;
  /** What the server says that it has charged; null for nothing. */
  billed: Money | null = null;
  /** The server has said how its answer ended. */
  isWhole = false;
  /** The reader wants no further events: the call is ended. */
  isEnded = false;
  /** The stream has ended with the marker of its protocol. */
  isMarked = false;
  /** Fields of the message, and of each call in order, that the server wants back. Of chat completions. */
  fields: Fields = {};
  fieldsOfCalls: (Fields | undefined)[] = [];
  /** What the server says about how the answer has ended: why it was declined, or which call it could not read. */
  explanation = '';
  /** An event that could not be read: it matters only where there is no answer beside it. */
  unreadable: unknown = null;

  readonly #source: Source;
  readonly #scrubber;
  readonly #written;
  readonly #calls;
  readonly #parts: KeptPart[] = [];
  readonly #openParts = new Map<string, Partial<Record<TextPart['type'], TextPart>>>();
  /** `isBegun`: arguments have come. */
  readonly #callsById = new Map<string, { place: number; isBegun: boolean }>();
  #ending: Ending | null = null;
  /** The server's word for it. */
  #word = '';

  constructor({ source, onText, hold, scrubber = createScrubber([]) }: Reading) {
    this.#source = source;
    this.#scrubber = scrubber;
    this.#written = createAnswerText(onText, hold, scrubber);
    this.#calls = createToolCalls(hold);
  }

  /** Notes a charge in dollars, from the server that alone tells one in this form. */
  bill(dollars: number): void {
    const [provider, host] = this.#source;
    const isOpenRouter = provider === 'openrouter' && isHome(provider, `https://${host}`);
    if (isOpenRouter) this.billed = { currency: 'USD', micros: Math.ceil(Number((dollars * 1e6).toFixed(6))) };
  }

  /** Adds text of a server that numbers no parts. */
  addText(text: string, reasoning: string): void {
    this.#written.add(text, reasoning);
  }

  /** Adds to a part of the turn, which is kept with what its provider wants back. The first piece of an `id` begins the part. */
  addToPart(type: TextPart['type'], id: string, delta: string, wantedBack?: SharedV4ProviderMetadata): void {
    const part = this.#partNamed(type, id);
    if (wantedBack) part.providerOptions = { ...part.providerOptions, ...(wantedBack as KeptPart['providerOptions']) };
    part.text += delta;
    if (type === 'text') this.#written.add(delta, '');
    else this.#written.add('', delta);
  }

  #partNamed(type: TextPart['type'], id: string): TextPart {
    const known = this.#openParts.get(id)?.[type];
    if (known) return known;
    const part = { type, text: '' } as TextPart;
    this.#parts.push(part);
    this.#openParts.set(id, { ...this.#openParts.get(id), [type]: part });
    return part;
  }

  /** Adds to the call of a tool with this id. */
  addToCall(id: string, name: string | null, written: string): void {
    const known = this.#callsById.get(id);
    const place = this.#calls.add({ index: known?.place ?? this.#callsById.size, id, name, arguments: written });
    this.#callsById.set(id, { place, isBegun: known?.isBegun === true || written !== '' });
  }

  /** Ends a call, whose arguments are `whole`. They are added where none have come in pieces. */
  endCall(id: string, name: string, whole: string, wantedBack?: SharedV4ProviderMetadata): void {
    const known = this.#callsById.get(id);
    if (!known) this.addToCall(id, name, whole);
    // A call without arguments stays without them where its limit has cut it off.
    else if (!known.isBegun && whole !== '{}') this.addToCall(id, null, whole);
    const input = this.#calls.kept(this.#callsById.get(id)?.place ?? 0, whole);
    const part: KeptPart = { type: 'tool-call', toolCallId: id, toolName: name, input };
    if (wantedBack) part.providerOptions = wantedBack as NonNullable<KeptPart['providerOptions']>;
    this.#parts.push(part);
  }

  /** Notes how the answer has ended. `word`: the server's own. */
  finish(ending: Ending, word: string): void {
    this.#ending = ending;
    this.#word = word;
  }

  /** Returns the answer, or why there is none. Throws the error of an unreadable event where there is nothing else. */
  end(): ModelOutcome {
    const written = this.#written;
    const isCut = this.#ending === 'length';
    written.end(isCut);
    if (this.#ending === 'declined') return failed(declinedFailure(this.explanation || written.text || this.#word));
    if (this.#ending === 'badCall') return failed(badCallFailure(this.explanation || this.#word));
    const calls = this.#scrubber.value(this.#calls.finish(isCut));
    if (!this.isWhole || this.#ending === 'failed') return failed(truncatedFailure(written.text));
    if (written.text.trim() === '' && calls.length === 0) {
      if (this.unreadable !== null) throw this.unreadable;
      return failed(failureOfEmpty(isCut, written.reasoning, this.usage));
    }
    const answer: ModelAnswer = {
      text: written.text,
      thoughts: written.reasoning.trim() || null,
      usage: this.usage,
      finish: this.#ending === 'pause' ? 'pause' : isCut ? 'length' : 'stop',
    };
    if (this.billed) answer.billed = this.billed;
    if (calls.length > 0) answer.calls = calls;
    if (calls.length > 0 || answer.finish !== 'stop') this.#keep(answer);
    return { ok: true, value: answer };
  }

  /** Keeps a turn that the model goes on with, where its provider wants more of it back than text and calls. */
  #keep(answer: ModelAnswer): void {
    const { fields, fieldsOfCalls } = this;
    const isPaused = answer.finish === 'pause';
    const fromFields = Object.keys(fields).length > 0 || fieldsOfCalls.length > 0;
    const parts = this.#parts.filter((part) => part.type !== 'reasoning' || part.providerOptions);
    if (!fromFields && !isPaused && !parts.some((part) => part.providerOptions)) return;
    const content = fromFields ? contentOf(answer, fieldsOfCalls) : parts;
    answer.opaque = writeKeptTurn({
      from: [...this.#source],
      content: this.#scrubber.value(content),
      isPaused,
      options: fromFields ? { openaiCompatible: this.#scrubber.value(fields) } : undefined,
    });
  }
}

function failed(error: ModelFailure): ModelOutcome {
  return { ok: false, error };
}

/** The parts of a turn in chat completions: its text, and its calls with the fields that the server wants back. */
function contentOf({ text, calls = [] }: ModelAnswer, fields: ReceivedAnswer['fieldsOfCalls']): KeptPart[] {
  const said: KeptPart[] = text === '' ? [] : [{ type: 'text', text }];
  const called = calls.map(({ id, name, arguments: input }, place): KeptPart => {
    const extra = fields[place];
    return { type: 'tool-call', toolCallId: id, toolName: name, input, providerOptions: extra && { openaiCompatible: extra } };
  });
  return [...said, ...called];
}
