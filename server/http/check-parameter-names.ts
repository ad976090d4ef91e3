import type { z } from 'zod';
import { ApiError } from './api-error.ts';
import type { Language } from './call.ts';
import { translate } from './language.ts';

/** Names of other APIs for parameters of this API, without case and separators. */
const otherNames: Partial<Record<string, readonly string[]>> = {
  q: ['query', 'search', 'searchquery', 'term', 'text'],
  limit: ['pagesize', 'perpage', 'take'],
  offset: ['skip'],
};
/** The shortest name that is compared: shorter names resemble too many others. */
const minLengthOfNear = 4;

/**
 * Throws `bad_request` for an unknown parameter that resembles a known one, since ignoring it would answer another question.
 * Other unknown parameters are ignored.
 */
export function checkParameterNames(schema: z.ZodObject | undefined, query: unknown, language: Language): void {
  if (!schema || typeof query !== 'object' || query === null) return;
  const known = Object.keys(schema.shape);
  const errors = Object.keys(query).flatMap((given) => {
    const meant = known.includes(given) ? undefined : known.find((name) => isNear(bare(given), name));
    return meant === undefined ? [] : [{ path: given, message: translate(language, 'invalid.did_you_mean', { name: meant }) }];
  });
  if (errors.length > 0) throw new ApiError('bad_request', { errors });
}

function isNear(given: string, name: string): boolean {
  const meant = bare(name);
  if (given === meant || otherNames[name]?.includes(given)) return true;
  return meant.length >= minLengthOfNear && given.length >= minLengthOfNear - 1 && isOneEditApart(given, meant);
}

/** Whether one inserted, removed or replaced character, or one swap of neighbours, turns one text into the other. */
function isOneEditApart(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  const isReplaced = short.slice(at + 1) === long.slice(at + 1);
  const isSwapped = short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2);
  return isReplaced || isSwapped;
}

function bare(name: string): string {
  return name
    .slice(0, 100)
    .toLowerCase()
    .replaceAll(/[\s_-]/g, '');
}
