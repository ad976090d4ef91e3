import { z } from 'zod';

/** Returns a value, as it goes into JSON, without what its schema does not name. Copies only what it takes something away from. */
export type KeepKnownKeys = (value: unknown) => unknown;

/**
 * Compiles a response schema into the function that takes away what the schema does not name, at every depth, so that an added column
 * cannot leak. It checks nothing else. Throws for a kind of schema that it does not know.
 */
export function knownKeysOf(schema: z.core.$ZodType): KeepKnownKeys {
  return filterOf(schema) ?? unchanged;
}

/** Null where every value of the schema stays whole. */
function filterOf(schema: z.core.$ZodType): KeepKnownKeys | null {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
    case 'enum':
    case 'literal':
    case 'unknown':
    case 'custom':
      return null;
    case 'undefined':
      return nothing;
    case 'nullable':
    case 'optional':
    case 'default':
    case 'readonly':
      return filterOf(def.innerType);
    case 'array':
      return ofArray(filterOf(def.element));
    case 'record':
      return ofRecord(filterOf(def.valueType));
    case 'object':
      return ofObject(schema as z.core.$ZodObject);
    case 'union':
      return ofUnion(def.options);
    default:
      throw new Error(`A response cannot be told by a schema of the kind ${def.type}.`);
  }
}

const unchanged: KeepKnownKeys = (value) => value;
const nothing: KeepKnownKeys = () => undefined;
type Json = Record<string, unknown>;

function ofObject({ _zod: { def } }: z.core.$ZodObject): KeepKnownKeys {
  const isOpen = def.catchall !== undefined && def.catchall._zod.def.type !== 'never';
  const filters = new Map(Object.entries(def.shape).map(([key, field]) => [key, filterOf(field)]));
  return (value) => {
    if (!isObject(value)) return value;
    let kept: Json | null = null;
    for (const key in value) {
      const filter = filters.get(key);
      if (filter === null || (filter === undefined && isOpen)) continue;
      if (filter === undefined) {
        kept ??= { ...value };
        delete kept[key];
        continue;
      }
      const field = filter(value[key]);
      if (field === value[key]) continue;
      kept ??= { ...value };
      kept[key] = field;
    }
    return kept ?? value;
  };
}

function ofArray(filter: KeepKnownKeys | null): KeepKnownKeys | null {
  if (filter === null) return null;
  return (value) => {
    if (!Array.isArray(value)) return value;
    let kept: unknown[] | null = null;
    for (let index = 0; index < value.length; index++) {
      const item = filter(value[index]);
      if (item === value[index]) continue;
      kept ??= [...value];
      kept[index] = item;
    }
    return kept ?? value;
  };
}

function ofRecord(filter: KeepKnownKeys | null): KeepKnownKeys | null {
  if (filter === null) return null;
  return (value) => {
    if (!isObject(value)) return value;
    let kept: Json | null = null;
    for (const key in value) {
      const item = filter(value[key]);
      if (item === value[key]) continue;
      kept ??= { ...value };
      kept[key] = item;
    }
    return kept ?? value;
  };
}

/** Follows the first option whose required keys are all present; where there is none, returns nothing. */
function ofUnion(options: readonly z.core.$ZodType[]): KeepKnownKeys | null {
  const filters = options.map((option) => ({ option, filter: filterOf(option) }));
  if (filters.every(({ filter }) => filter === null)) return null;
  const objects = filters.flatMap(({ option, filter }) =>
    option instanceof z.ZodObject && filter ? [{ required: requiredKeys(option), filter }] : [],
  );
  if (objects.length !== filters.filter(({ filter }) => filter !== null).length) {
    throw new Error('A response cannot be told by a union of lists or records.');
  }
  return (value) => {
    if (!isObject(value)) return Array.isArray(value) ? [] : value;
    return objects.find(({ required }) => required.every((key) => key in value))?.filter(value) ?? {};
  };
}

function requiredKeys(schema: z.ZodObject): string[] {
  return Object.entries(schema.shape).flatMap(([key, field]) => ((field as z.ZodType)._zod.optout === 'optional' ? [] : [key]));
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
