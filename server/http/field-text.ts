import type { z } from 'zod';
import type { Language } from './call.ts';
import { type ServerText, translate } from './language.ts';

/** Returns a plain sentence in the caller's language for every code of a zod issue. */
export function fieldText(language: Language): z.core.$ZodErrorMap {
  return (issue) => {
    const { text, params } = fieldSentence(issue);
    return translate(language, text, params);
  };
}

type Sentence = { text: ServerText; params?: Record<string, string | number> };

function fieldSentence(issue: z.core.$ZodRawIssue): Sentence {
  if (issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value' || issue.code === 'invalid_union'))
    return { text: 'invalid.required' };
  switch (issue.code) {
    case 'invalid_type':
      return { text: typeTexts[issue.expected] ?? 'invalid.other' };
    case 'invalid_value':
      return { text: 'invalid.choice', params: { values: issue.values.map(String).join(', ') } };
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return {
        text: issue.inclusive === false ? 'invalid.not_below' : tooBigTexts[sizeOf(issue.origin)],
        params: { limit: String(issue.maximum) },
      };
    case 'invalid_format':
      return { text: formatTexts[issue.format] ?? 'invalid.format' };
    case 'not_multiple_of':
      return { text: 'invalid.multiple', params: { divisor: issue.divisor } };
    case 'unrecognized_keys':
      return { text: 'invalid.unknown_fields', params: { names: issue.keys.join(', ') } };
    case 'invalid_union':
      return unionSentence(issue.errors ?? [], issue.options);
    case 'invalid_key':
      return { text: 'invalid.key' };
    case 'invalid_element':
      return { text: 'invalid.element' };
    case 'custom':
      return { text: customTexts[String(issue.params?.rule)] ?? 'invalid.other' };
    default:
      return issue satisfies never;
  }
}

function tooSmall({ origin, minimum, inclusive }: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): Sentence {
  const size = sizeOf(origin);
  if (size !== 'number' && Number(minimum) === 1) return { text: 'invalid.empty' };
  return { text: inclusive === false ? 'invalid.not_above' : tooSmallTexts[size], params: { limit: String(minimum) } };
}

/** Returns a sentence for a union: a day or a moment, one of some kinds, or a text or a number. */
function unionSentence(errors: z.core.$ZodIssue[][], kinds: unknown): Sentence {
  if (Array.isArray(kinds) && kinds.length > 0) return { text: 'invalid.choice', params: { values: kinds.map(String).join(', ') } };
  const issues = errors.flat();
  if (issues.some((issue) => issue.code === 'invalid_format' && (issue.format === 'date' || issue.format === 'datetime')))
    return { text: 'invalid.day' };
  return { text: 'invalid.union' };
}

type Size = 'text' | 'list' | 'number';

function sizeOf(origin: string): Size {
  if (origin === 'string') return 'text';
  return origin === 'array' || origin === 'set' || origin === 'map' || origin === 'file' ? 'list' : 'number';
}

const tooSmallTexts: Record<Size, ServerText> = { text: 'invalid.too_short', list: 'invalid.min_entries', number: 'invalid.too_small' };
const tooBigTexts: Record<Size, ServerText> = { text: 'invalid.too_long', list: 'invalid.max_entries', number: 'invalid.too_big' };

const typeTexts: Partial<Record<string, ServerText>> = {
  string: 'invalid.string',
  number: 'invalid.number',
  nan: 'invalid.number',
  int: 'invalid.integer',
  boolean: 'invalid.boolean',
  array: 'invalid.array',
  object: 'invalid.object',
  record: 'invalid.object',
  map: 'invalid.object',
  date: 'invalid.moment',
  undefined: 'invalid.unwanted',
  never: 'invalid.unwanted',
};

const formatTexts: Partial<Record<string, ServerText>> = {
  email: 'invalid.email',
  url: 'invalid.url',
  uuid: 'invalid.uuid',
  guid: 'invalid.uuid',
  datetime: 'invalid.moment',
  date: 'invalid.day',
  regex: 'invalid.characters',
};

/** A rule of the contract itself, by the name in `params.rule`. */
const customTexts: Partial<Record<string, ServerText>> = {
  storableMoment: 'invalid.moment_range',
  endAfterStart: 'invalid.end_before_start',
  small: 'invalid.too_much_data',
  userMessage: 'invalid.no_user_message',
  reservedKey: 'invalid.reserved_key',
  email: 'invalid.email',
  required: 'invalid.required',
  limit: 'invalid.no_limit',
  place: 'invalid.wrong_place',
  outside: 'invalid.path_outside',
  twice: 'invalid.name_twice',
  text: 'invalid.string',
  characters: 'invalid.characters',
};
