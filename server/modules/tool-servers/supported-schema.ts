import { hasHidden } from '../../../rules/text/hidden-characters.ts';

const types = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
/** Deeper and larger schemas are refused (levels, values). */
const maxDepth = 24;
const maxValues = 4_000;

/** Keys whose values are schemas by name, lists of schemas, or schemas. */
const byName = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const lists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const single = new Set([
  ...['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames', 'unevaluatedItems'],
  ...['unevaluatedProperties', 'additionalItems'],
]);
export const schemaKeys: Record<'byName' | 'lists' | 'single', ReadonlySet<string>> = { byName, lists, single };
/** The longest name of an argument (UTF-16 units): models are told it as it is. */
const maxNameLength = 200;

/**
 * Whether a value is the JSON schema of an object with the form that providers accept: known types, no reference out of itself. Nothing of it is
 * compiled or carried out, least of all its patterns.
 */
export function isSupportedSchema(value: unknown): value is Record<string, unknown> {
  if (!isObject(value) || (value.type !== undefined && value.type !== 'object')) return false;
  const left = { values: maxValues };
  return isSmall(value, maxDepth, left) && isSchema(value);
}

function isSchema(value: unknown): boolean {
  if (typeof value === 'boolean') return true;
  if (!isObject(value)) return false;
  return Object.entries(value).every(([key, one]) => {
    if (key === 'type') return (Array.isArray(one) ? one : [one]).every((type) => types.has(type as string));
    if (key === '$ref') return typeof one === 'string' && one.startsWith('#');
    if (key === 'required') return Array.isArray(one) && one.every((name) => typeof name === 'string');
    if (key === 'enum') return Array.isArray(one);
    if (key === 'description' || key === 'pattern' || key === 'format') return typeof one === 'string';
    if (byName.has(key)) return isObject(one) && Object.keys(one).every(isPlainName) && Object.values(one).every(isSchema);
    if (lists.has(key)) return Array.isArray(one) && one.length > 0 && one.every(isSchema);
    if (key === 'items' && Array.isArray(one)) return one.every(isSchema);
    return single.has(key) ? isSchema(one) : true;
  });
}

function isPlainName(name: string): boolean {
  return name.length <= maxNameLength && !hasHidden(name) && !name.includes('\n');
}

/** Whether a value is within depth and number of values. Its texts and keys can be stored and sent. */
function isSmall(value: unknown, depth: number, left: { values: number }): boolean {
  left.values -= 1;
  if (left.values < 0 || depth < 0) return false;
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(
    ([key, one]) => key !== '__proto__' && key.isWellFormed() && !key.includes('\0') && isSmall(one, depth - 1, left),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
