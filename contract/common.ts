import { z } from 'zod';

/** A UUID, version 7 when the server created it; in lower case, as the database writes it. */
export const id = z.uuid().toLowerCase();

/** The largest integer of the database. */
export const maxInteger = 2_147_483_647;

/** Whether database and `Date` can both store a day or a moment: from 1970 to 9998. */
export function isStorableMoment(value: string): boolean {
  return Date.parse(value) >= 0 && new Date(value).getUTCFullYear() < 9_999;
}

/** ISO 8601 in UTC, from 1970 to 9998. */
export const timestamp = z.iso.datetime().refine(isStorableMoment, { params: { rule: 'storableMoment' } });

/** Reasons to refuse a file for its path: of an agent's answer, of an upload, of an archive or of a repository. */
export const pathRefusals = [
  'path_empty',
  'path_absolute',
  'path_outside',
  'path_characters',
  'path_reserved',
  'path_too_long',
  'path_taken',
] as const;
export type PathRefusal = (typeof pathRefusals)[number];

/** The fields of every stored record. */
export const entity = z.object({ id, createdAt: timestamp, updatedAt: timestamp });

/** `limit` 1 to 200 (default 200) and `offset`; the response has `X-Total-Count`. */
export const page = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(200),
  offset: z.coerce.number().int().min(0).default(0),
});

/**
 * One of a list of words: by name in any case, by index from `first`, or by another spelling:
 * `/status/onHold`, `/status/on-hold`, `/status/2`.
 */
export function wordOrPlace<const Words extends readonly [string, ...string[]]>(
  words: Words,
  spellings: Readonly<Record<string, Words[number]>> = {},
  first = 0,
) {
  const meanings = new Map([
    ...Object.entries(spellings).map(([spelling, word]) => [bare(spelling), word] as const),
    ...words.map((word) => [bare(word), word] as const),
  ]);
  const found = (value: string) => (/^\d{1,2}$/.test(value) ? words[Number(value) - first] : meanings.get(bare(value))) ?? value;
  return z
    .union([z.string().max(40), z.number().int().min(0).max(99)])
    .transform((value) => found(String(value)))
    .pipe(z.enum(words));
}

/** One of several named numbers: the number, its name in any case, or another spelling of the name. */
export function numberOrWord<const N extends number>(numbers: Readonly<Record<string, N>>, spellings: Readonly<Record<string, N>> = {}) {
  const all = [...Object.entries(spellings), ...Object.entries(numbers)];
  const meanings = new Map<string, number>(all.map(([name, number]) => [bare(name), number]));
  return z
    .union([z.string().max(40), z.number().int().min(0).max(99)])
    .transform((value) => meanings.get(bare(String(value))) ?? (/^\d{1,2}$/.test(String(value)) ? Number(value) : value))
    .pipe(z.literal(Object.values(numbers)));
}

/** A name in lower case, without spaces, underscores and hyphens. */
function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}

export const tokenUsage = z.object({
  promptTokens: z.number().int().min(0),
  completionTokens: z.number().int().min(0),
  totalTokens: z.number().int().min(0),
  /** Of the prompt: read from the provider's cache. Absent where the provider reports none. */
  cachedTokens: z.number().int().min(0).optional(),
  /** Of the prompt: written to the provider's cache, apart from what was read. Absent where the provider reports none. */
  cacheWriteTokens: z.number().int().min(0).optional(),
  /** Of the completion: the model's reasoning. */
  reasoningTokens: z.number().int().min(0).optional(),
});
export type TokenUsage = z.infer<typeof tokenUsage>;
