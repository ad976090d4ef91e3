import { withoutHidden } from '../../../rules/text/hidden-characters.ts';
import { schemaKeys } from './supported-schema.ts';

/** The longest text within a schema that a model is told (UTF-16 units), as of a description. */
const maxTextLength = 1_000;

/** Keys with a text for the model, and keys with values. All others are left out: no provider reads them, and a server may write anything there. */
const texts = new Set(['title', 'description']);
const values = new Set([
  ...['$ref', '$anchor', 'type', 'required', 'dependentRequired', 'enum', 'const', 'nullable', 'deprecated'],
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems'],
  ...['uniqueItems', 'minContains', 'maxContains', 'minProperties', 'maxProperties'],
]);
/** Values that a call does not need: long ones are left out. */
const optional = new Set(['default', 'pattern', 'format', 'contentMediaType', 'contentEncoding']);

/** Returns the schema of arguments as models are told it: known keys alone, with texts that a person has seen as they are, and of bounded length. */
export function offeredSchema(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schema).flatMap(([key, value]) => offeredKey(key, value)));
}

function offeredKey(key: string, value: unknown): [string, unknown][] {
  if (texts.has(key)) return typeof value === 'string' ? [[key, shortText(value)]] : [];
  if (optional.has(key)) {
    const json = JSON.stringify(value);
    return json.length <= maxTextLength && withoutHidden(json) === json ? [[key, value]] : [];
  }
  if (values.has(key)) return [[key, value]];
  if (schemaKeys.byName.has(key) && isObject(value)) return [[key, mapValues(value)]];
  if (schemaKeys.lists.has(key) || schemaKeys.single.has(key)) return [[key, Array.isArray(value) ? value.map(nested) : nested(value)]];
  return [];
}

function mapValues(schemas: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, nested(one)]));
}

/** A schema may also be `true` or `false`. */
function nested(value: unknown): unknown {
  return isObject(value) ? offeredSchema(value) : value;
}

/** Cuts a text of a server to a length, without its hidden characters. */
export function shortText(text: string, length = maxTextLength): string {
  const plain = withoutHidden(text).trim();
  return plain.length <= length ? plain : `${plain.slice(0, length - 1).toWellFormed()}…`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
