import PQueue from 'p-queue';
import { type FairLimits, FairQueue } from '../fair-queue.ts';
import type { OwnerId } from '../owner-id.ts';
import type { Hold, LanguageModel, ModelOutcome, OnWait } from './language-model.ts';
import { boundedRequest } from './prompt.ts';
import { lengthOfConversation, lengthOfImages, lengthOfRequest, maxPromptLength } from './prompt-length.ts';

/** Whose calls they are: the account, and its key of a provider or what stands for it. Calls without a key wait for memory only. */
type Caller = { userId: OwnerId; key: string | null };

type CallLimits = (model: LanguageModel, caller: Caller) => LanguageModel;

/**
 * The memory of a text that is sent or received (bytes for each UTF-16 unit): a prompt, its JSON and its UTF-8; or an answer for its reader,
 * its meter and its listeners.
 */
const bytesPerUnit = 6;
const mebibyte = 1024 * 1024;
/** A fifth of the memory of a server with 2.5 GiB (bytes). The longest prompt takes 24 MiB. */
const memoryLimits: FairLimits = { ofAccount: 128 * mebibyte, inTotal: 512 * mebibyte, ofEachAccount: 2 * mebibyte };
/** The same for a character of an image: the text in base64, its JSON and its UTF-8, one byte each. */
const bytesPerImageUnit = 3;
/** The part of an answer for which each call has memory from its beginning (UTF-16 units). */
const firstLength = 4 * 1024;

/** The calls of the account, or of all accounts, have no memory left for this answer. */
export class AnswersTooLarge extends Error {
  readonly code = 'EANSWERSTOOLARGE';
}

/**
 * Lets at most `atOnce` calls of one key run at the same time in this process, and as many as `memory` has room for. Further ones wait, in the
 * order of their arrival, before their prompt is built. A call that is aborted while it waits ends with `aborted`, and never reaches the
 * provider. A longer prompt than any model reads is refused.
 */
export function createCallLimits(atOnce: number, memory = new FairQueue(memoryLimits)): CallLimits {
  /** The queues of keys with calls. */
  const queues = new Map<string, PQueue>();

  const queueOf = (key: string): PQueue => {
    const known = queues.get(key);
    if (known) return known;
    const queue = new PQueue({ concurrency: atOnce });
    queue.on('idle', () => queues.delete(key));
    queues.set(key, queue);
    return queue;
  };

  type Admission = { caller: Caller; length: number; images: number; signal: AbortSignal; onWait: OnWait | undefined };

  const admit = async (
    { caller, length, images, signal, onWait }: Admission,
    call: (hold: Hold) => Promise<ModelOutcome>,
  ): Promise<ModelOutcome> => {
    if (length > maxPromptLength) return { ok: false, error: { code: 'prompt_too_long', transient: false } };
    let waits = false;
    const wait = () => {
      waits = true;
      onWait?.(true);
    };
    const inMemory = async (): Promise<ModelOutcome> => {
      const cost = (length + firstLength) * bytesPerUnit + images * bytesPerImageUnit;
      const place = await memory.admit(caller.userId, { cost, signal, onWait: wait });
      try {
        if (waits) onWait?.(false);
        return await call(holdIn((units) => place.grow(units * bytesPerUnit)));
      } finally {
        place.release();
      }
    };
    try {
      if (caller.key === null) return await inMemory();
      const queue = queueOf(caller.key);
      if (queue.pending >= atOnce) wait();
      return await queue.add(inMemory, { signal });
    } catch (error) {
      if (signal.aborted) return { ok: false, error: { code: 'aborted', transient: false } };
      throw error;
    }
  };

  return (model, caller) => ({
    ...model,
    answer: (request, signal, onText, onWait) =>
      admit({ caller, length: lengthOfRequest(boundedRequest(request)), images: lengthOfImages(request), signal, onWait }, (hold) =>
        model.answer(request, signal, onText, undefined, hold),
      ),
    converse: (conversation, signal, onText, onWait) =>
      admit({ caller, length: lengthOfConversation(conversation), images: lengthOfImages(conversation), signal, onWait }, (hold) =>
        model.converse(conversation, signal, onText, undefined, hold),
      ),
  });
}

/** Counts what an answer holds, and takes memory for it by doubling: a long answer asks a few times. */
function holdIn(grow: (units: number) => boolean): Hold {
  let room = firstLength;
  let taken = firstLength;
  return (units) => {
    room -= units;
    if (room >= 0) return;
    const more = Math.max(-room, taken);
    if (!grow(more)) throw new AnswersTooLarge();
    taken += more;
    room += more;
  };
}
