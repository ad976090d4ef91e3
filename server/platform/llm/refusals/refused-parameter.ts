import { z } from 'zod';
import { toldWindow } from '../fit/told-window.ts';
import type { HttpFailure } from '../http-failure.ts';
import type { Traits } from '../model-traits.ts';
import { hasWord, isFollowedBy, isQuoted, numbersIn } from './refusal-words.ts';
import { inTurnForms, isTurnForm, turnFormFor } from './turn-forms.ts';

type Body = Record<string, unknown>;

/** A change of a refused request. `isLasting`: it holds for each call of the model. `wants`: names or values in place of the refused ones. */
export type Repair = { name: string; wants?: Traits['wants']; isLasting: boolean; apply: (body: Body) => Body };

/** The names of the limit of an answer. A server that refuses one may take another. */
const lengths = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'];
/** What no call does without. All other fields are settings, of the agent or of its connection. */
const needed = new Set([
  'messages',
  'input',
  'contents',
  'model',
  'tools',
  'functions',
  'system',
  'systemInstruction',
  'instructions',
  'stream',
]);

/**
 * Returns how to make a refused request again: with its earlier turns in the form that the refusal asks for, without the parameter that it names, or under the
 * name or with the value that it gives. Each once. Null where it names nothing that was sent and can be missed.
 */
export function repairOf({ statusCode, responseBody }: HttpFailure, body: Body, tried: readonly string[]): Repair | null {
  if (statusCode !== 400 && statusCode !== 422) return null;
  const told = toldBy(responseBody);
  const form = turnFormFor(responseBody.slice(0, maxRefusal), body, tried);
  if (form) return form;
  const isUntried = (name: string) => !tried.includes(name);
  // A model that takes tools only with its thinking switched off says so.
  if (!('reasoning_effort' in body) && isUntried('reasoning_effort') && /reasoning_effort[^.]{0,40}['"`]none['"`]/.test(told.text))
    return setting('reasoning_effort', 'none');
  const name = sentNames(body).find((one) => isUntried(one) && names(told, one.split('.').at(-1) ?? one));
  if (name === undefined) return null;
  const other = lengths.includes(name) ? lengths.find((one) => one !== name && hasWord(told.text, one)) : undefined;
  const sent = body[name];
  if (other !== undefined && isUntried(other) && !isFollowedBy(told.text, other, ['too large', 'too high'], 30))
    return { name, wants: { [name]: { as: other } }, isLasting: true, apply: (given) => renamed(given, name, other) };
  const isLength = lengths.includes(name) && typeof sent === 'number';
  // A window says how long prompt and answer may be together: only this prompt is too long for this answer.
  const room = isLength ? roomToldBy(told.text) : null;
  if (room !== null && room > 0) return { ...setting(name, room), isLasting: false };
  if (toldWindow(responseBody) !== null) return { name, isLasting: false, apply: (given) => without(given, name) };
  const most = isLength ? mostToldBy(told.text) : null;
  if (isLength && most !== null && most > 0 && most < sent) return setting(name, most);
  const only = /\bonly (?:the )?(?:values? )?([\d.]*\d) (?:is|are) (?:allowed|supported)/i.exec(told.text);
  if (only && typeof sent === 'number' && Number(only[1]) !== sent) return setting(name, Number(only[1]));
  // A refused value says nothing of the others.
  const isValue = /effort$/.test(name)
    ? aboutEffort.test(told.text)
    : saysOneOf(responseBody, ofValues) || (!isLength && aboutValue.test(told.text));
  return { name, isLasting: !isValue, apply: (given) => without(given, name) };
}

/** The part of a refusal that is searched for a form of turns (UTF-16 units). */
const maxRefusal = 4_096;

const aboutEffort = /supported values|does not support ['"`]/i;
/** Words about a value outside of its range, or of another type. */
const aboutValue =
  /[<>]=|\b(?:less|greater) than\b|\b(?:between|range|above|below|at most|at least|maximum|minimum|invalid type|valid (?:number|integer|string|boolean))\b/i;

/** Returns a body as the server is known to take it. */
export function applyTraits(body: Body, { refused, wants }: Traits): Body {
  if (refused.length === 0 && Object.keys(wants).length === 0) return body;
  let known = refused.filter((name) => !needed.has(name) && !isTurnForm(name)).reduce(without, inTurnForms(body, refused));
  for (const [name, { as, value }] of Object.entries(wants)) {
    if (as !== undefined) known = renamed(known, name, as);
    else if (typeof value === 'number' ? name in known : !(name in known) && hasTools(known))
      known = { ...known, [name]: bounded(known[name], value) };
  }
  return known;
}

/** A longest answer is the most that a server takes: a shorter one stays. */
function bounded(sent: unknown, value: string | number | undefined): unknown {
  return typeof sent === 'number' && typeof value === 'number' && Number.isInteger(value) && value > 2 ? Math.min(sent, value) : value;
}

/** Whether a server refuses the tools of a call: the model, or its configuration, has none. */
export function refusesTools({ statusCode, responseBody }: HttpFailure): boolean {
  const { text, named } = toldBy(responseBody);
  const namesTools =
    named.some((name) => name === 'tools' || name === 'functions') && /unsupported|unknown|not (?:supported|permitted)/i.test(responseBody);
  return (statusCode === 400 || statusCode === 404 || statusCode === 422) && (namesTools || aboutTools.test(text));
}

export function hasTools({ tools, functions }: Body): boolean {
  return (Array.isArray(tools) && tools.length > 0) || (Array.isArray(functions) && functions.length > 0);
}

/** Words of refusals of a value that is of another kind, or not within its limits. */
const ofValues = [
  ...[
    'range',
    'invalid value',
    'invalid type',
    'above max',
    'above_max',
    'below min',
    'below_min',
    'greater than',
    'less than',
    'more than',
  ],
  ...['lower than', 'higher than', 'smaller than', 'larger than', 'too large', 'too small', 'too high', 'too low', 'too long'],
  ...[
    'too short',
    'must be between',
    'must be in ',
    'must be within',
    'must be at least',
    'must be at most',
    'must be positive',
    'must be a',
  ],
  ...['must be non', 'expected a', 'valid number', 'valid integer', 'valid string', '_parsing"', '_type",', '_type"}', '_than"', '_equal"'],
];

const aboutTools =
  /(?:not|n't|no endpoints?)[^.]{0,60}(?:support|enable)[^.]{0,30}(?:\btools?\b|tool[ _]us|functions?\b|function call)|(?:\btools?\b|tool use|tool calling|functions?|function calling)[^.]{0,30}(?:not|n't) (?:supported|enabled|available|allowed)|tool choice requires|enable-auto-tool-choice|(?:unknown|unrecognized|unsupported) [\w ]{0,30}:? ?['"`]?(?:tools|functions)\b/i;

/** Returns the tokens that a window has left for the answer, from the sum that a refusal writes out; null for none. */
function roomToldBy(text: string): number | null {
  const numbers = numbersIn(text);
  for (const [at, { value, after }] of numbers.entries()) {
    const [second, third] = numbers.slice(at + 1, at + 3);
    if (!second || !third) break;
    if (after === ' + ' && second.after === ' > ') return third.value - value;
    if (after === ' > ' && second.after === ' - ') return second.value - third.value;
  }
  return null;
}

/** Returns the longest answer that a refusal allows; null where it tells none. */
function mostToldBy(text: string): number | null {
  const told = numbersIn(text).find(({ before }) => {
    const words = before.toLowerCase().slice(-60).trimEnd();
    const bare = '\'"`'.includes(words.at(-1) ?? ' ') ? words.slice(0, -1).trimEnd() : words;
    const afterMost = words.slice(words.lastIndexOf('maximum'));
    return ['at most', 'less than or equal to', '<', '<=', '>'].some((end) => bare.endsWith(end)) || isMaximum(afterMost);
  });
  return told?.value ?? null;
}

function isMaximum(words: string): boolean {
  return words.startsWith('maximum') && !words.includes('.') && words.length <= 50;
}

type Told = { text: string; named: string[] };

const place = z.array(z.union([z.string(), z.number()]));
const detail = z.array(z.object({ loc: place.optional().catch(undefined), msg: z.string().optional().catch(undefined) }));
const refusal = z.looseObject({
  error: z
    .looseObject({ message: z.string().catch(''), param: z.string().nullish().catch(null) })
    .optional()
    .catch(undefined),
  detail: detail.optional().catch(undefined),
});

function toldBy(responseBody: string): Told {
  let parsed: unknown = null;
  try {
    parsed = JSON.parse(responseBody);
  } catch {
    return { text: responseBody, named: [] };
  }
  const { error, detail: places = [] } = refusal.safeParse(Array.isArray(parsed) ? parsed[0] : parsed).data ?? {};
  const named = [...(error?.param ? [error.param] : []), ...places.map(({ loc = [] }) => loc.filter((one) => one !== 'body').join('.'))];
  return { text: error?.message || responseBody, named };
}

/** Whether a refusal names a parameter: as the one that it refuses, in quotes, or as a word that is no other's. */
function names({ text, named }: Told, name: string): boolean {
  if (named.some((one) => one.split(/[.[]/).includes(name))) return true;
  const isPlain = /_|^temperature$|[a-z][A-Z]/.test(name);
  const isPath = text.startsWith(name) && /^(?:\.\w+)*: /.test(text.slice(name.length, name.length + 100));
  return isQuoted(text, name) || isPath || (isPlain && hasWord(text, name));
}

function sentNames(body: Body): string[] {
  const inner = Object.keys((body.generationConfig as Body | undefined) ?? {}).map((name) => `generationConfig.${name}`);
  // The name of a connection's field may be any text.
  return [...Object.keys(body).filter((name) => /^\w+$/.test(name) && !needed.has(name) && name !== 'generationConfig'), ...inner];
}

function setting(name: string, value: string | number): Repair {
  return { name, wants: { [name]: { value } }, isLasting: true, apply: (body) => ({ ...body, [name]: value }) };
}

function renamed(body: Body, name: string, as: string): Body {
  if (!(name in body)) return body;
  const { [name]: value, ...rest } = body;
  return as in rest ? rest : { ...rest, [as]: value };
}

function without(body: Body, name: string): Body {
  const [outer = '', inner] = name.split('.');
  const { [outer]: value, ...rest } = body;
  if (inner === undefined || typeof value !== 'object' || value === null) return inner === undefined ? rest : body;
  return { ...body, [outer]: without(value as Body, inner) };
}

function saysOneOf(text: string, phrases: readonly string[]): boolean {
  const said = text.toLowerCase();
  return phrases.some((phrase) => said.includes(phrase));
}
