import { z } from 'zod';
import { ResponseTooLong } from '../../egress/egress.ts';
import type { ModelTurn } from '../language-model.ts';

/** Whose turn it is: the provider, the host and the model. No other one gets it. */
export type Source = readonly [provider: string, host: string, model: string];

/** The longest turn beside its text and the arguments of its calls (characters). */
const maxKeptLength = 256 * 1024;

const options = z.record(z.string(), z.record(z.string(), z.json())).optional();
const part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string(), providerOptions: options }),
  z.object({ type: z.literal('reasoning'), text: z.string(), providerOptions: options }),
  z.object({ type: z.literal('tool-call'), toolCallId: z.string(), toolName: z.string(), input: z.string(), providerOptions: options }),
]);
const keptTurn = z.object({
  from: z.tuple([z.string(), z.string(), z.string()]),
  content: z.array(part),
  /** Of the message. */
  options,
  isPaused: z.boolean().optional(),
});
export type KeptPart = z.infer<typeof part>;
export type KeptTurn = z.infer<typeof keptTurn>;

/** Returns a turn as text for its provider. Throws `ResponseTooLong` where what has come beside its text is too long. */
export function writeKeptTurn(turn: KeptTurn): string {
  const written = JSON.stringify(turn);
  const plain = turn.content.reduce((sum, one) => sum + JSON.stringify(one.type === 'tool-call' ? one.input : one.text).length, 0);
  const reasoning = turn.content.reduce((sum, one) => sum + (one.type === 'reasoning' ? one.text.length : 0), 0);
  if (written.length - plain + reasoning > maxKeptLength) throw new ResponseTooLong();
  return written;
}

/** Returns a turn of this provider, host and model. Null for another one's, for a malformed one, and for one with other calls. */
export function readKeptTurn({ opaque, calls }: ModelTurn, source: Source): KeptTurn | null {
  if (!opaque) return null;
  const parsed = keptTurn.safeParse(parse(opaque));
  if (!parsed.success || parsed.data.from.some((one, at) => one !== source[at])) return null;
  const ids = parsed.data.content.flatMap((one) => (one.type === 'tool-call' ? [one.toolCallId] : []));
  return ids.length === calls.length && ids.every((id, at) => id === calls[at]?.id) ? parsed.data : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
