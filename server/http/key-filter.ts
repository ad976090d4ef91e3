import { z } from 'zod';

/** Filters values by the keys that a schema names. */
export type KeyFilter = {
  /**
   * Returns a value without the keys that the schema does not name, at every depth. Copies only changed parts. Null if it changes nothing.
   */
  keep: ((value: unknown) => unknown) | null;
  /**
   * Returns the filters of a value's entries by key, for a value that is written entry by entry. An entry that the schema does not name has
   * none. Null if the schema allows no value.
   */
  entriesOf: ((value: object) => EntryFilters) | null;
};
type EntryFilters = (key: string) => KeyFilter | undefined;

/** Keeps every key. */
export const keepAllKeys: KeyFilter = { keep: null, entriesOf: () => () => keepAllKeys };

/**
 * Compiles a response schema into a filter that removes the keys that the schema does not name, so that an added column cannot leak. It
 * checks nothing else. Throws for an unsupported kind of schema.
 */
export function compileKeyFilter(schema: z.core.$ZodType): KeyFilter {
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
      return keepAllKeys;
    case 'undefined':
      return { keep: () => undefined, entriesOf: null };
    case 'nullable':
    case 'optional':
    case 'default':
    case 'readonly':
      return compileKeyFilter(def.innerType);
    case 'array':
      return ofArray(compileKeyFilter(def.element));
    case 'record':
      return ofRecord(compileKeyFilter(def.valueType));
    case 'object':
      return ofObject(schema as z.core.$ZodObject);
    case 'union':
      return ofUnion(def.options);
    default:
      throw new Error(`A response cannot be described by a schema of the kind ${def.type}.`);
  }
}

type Json = Record<string, unknown>;

function ofObject({ _zod: { def } }: z.core.$ZodObject): KeyFilter {
  const isOpen = def.catchall !== undefined && def.catchall._zod.def.type !== 'never';
  const fields = new Map(Object.entries(def.shape).map(([key, field]) => [key, compileKeyFilter(field)]));
  const keeps = new Map(Array.from(fields, ([key, { keep }]) => [key, keep]));
  const ofKey: EntryFilters = (key) => fields.get(key) ?? (isOpen ? keepAllKeys : undefined);
  return {
    entriesOf: () => ofKey,
    keep: (value) => {
      if (!isObject(value)) return value;
      let kept: Json | null = null;
      for (const key in value) {
        const keep = keeps.get(key);
        if (keep === null || (keep === undefined && isOpen)) continue;
        if (keep === undefined) {
          kept ??= { ...value };
          delete kept[key];
          continue;
        }
        const entry = keep(value[key]);
        if (entry === value[key]) continue;
        kept ??= { ...value };
        kept[key] = entry;
      }
      return kept ?? value;
    },
  };
}

function ofArray(element: KeyFilter): KeyFilter {
  const { keep } = element;
  if (keep === null) return keepAllKeys;
  return {
    entriesOf: () => () => element,
    keep: (value) => {
      if (!Array.isArray(value)) return value;
      let kept: unknown[] | null = null;
      for (let index = 0; index < value.length; index++) {
        const item = keep(value[index]);
        if (item === value[index]) continue;
        kept ??= [...value];
        kept[index] = item;
      }
      return kept ?? value;
    },
  };
}

function ofRecord(entry: KeyFilter): KeyFilter {
  const { keep } = entry;
  if (keep === null) return keepAllKeys;
  return {
    entriesOf: () => () => entry,
    keep: (value) => {
      if (!isObject(value)) return value;
      let kept: Json | null = null;
      for (const key in value) {
        const item = keep(value[key]);
        if (item === value[key]) continue;
        kept ??= { ...value };
        kept[key] = item;
      }
      return kept ?? value;
    },
  };
}

/** Filters by the first option whose required keys and literal values the value has. Without one, no key passes. */
function ofUnion(schemas: readonly z.core.$ZodType[]): KeyFilter {
  const filters = schemas.map((schema) => ({ schema, known: compileKeyFilter(schema) }));
  const filtered = filters.filter(({ known }) => known.keep !== null);
  if (filtered.length === 0) return keepAllKeys;
  const options = filtered.flatMap(({ schema, known }) => (schema instanceof z.ZodObject ? { fits: fitsInto(schema), known } : []));
  if (options.length !== filtered.length) throw new Error('A response cannot be described by a union of lists or records.');
  const optionOf = (value: Json) => options.find(({ fits }) => fits(value))?.known;
  return {
    entriesOf: (value) => (isObject(value) && optionOf(value)?.entriesOf?.(value)) || noKeys,
    keep: (value) => {
      if (!isObject(value)) return Array.isArray(value) ? [] : value;
      return optionOf(value)?.keep?.(value) ?? {};
    },
  };
}

const noKeys: EntryFilters = () => undefined;

function fitsInto(schema: z.ZodObject): (value: Json) => boolean {
  const required = Object.entries(schema.shape).flatMap(([key, field]) => ((field as z.ZodType)._zod.optout === 'optional' ? [] : [key]));
  const literals = Object.entries(schema.shape).flatMap(([key, field]) =>
    field instanceof z.ZodLiteral ? [[key, field.values as Set<unknown>] as const] : [],
  );
  return (value) => literals.every(([key, values]) => values.has(value[key])) && required.every((key) => key in value);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
