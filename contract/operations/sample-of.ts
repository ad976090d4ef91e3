import { z } from 'zod';
import { id, timestamp } from '../common.ts';

/** Values by the names of their fields. */
export type Values = Readonly<Record<string, unknown>>;

/** A schema of a record with a sample of it. */
export type RecordSample = readonly [schema: z.ZodObject, sample: Values];

/** What samples are made of. `isSent`: a request leaves out what has a default. */
export type SampleSource = { isSent: boolean; fields: Values; records: readonly RecordSample[] };

/**
 * Returns a value of a schema: what is given, else `known`, else the simplest value. An object that is a record, or extends one, has the values of
 * its sample; other fields have the values of their names, where these fit. A field that may be left out is there only where it is given.
 */
export function sampleOf(schema: z.ZodType, given: unknown, source: SampleSource, known?: unknown): unknown {
  if (schema instanceof z.ZodOptional) {
    const isAbsent = given === undefined && (source.isSent || known === undefined);
    return isAbsent ? undefined : sampleOf(schema.unwrap() as z.ZodType, given, source, known);
  }
  if (schema instanceof z.ZodDefault) {
    const { innerType, defaultValue } = schema.def;
    if (given === undefined && known === undefined && source.isSent) return undefined;
    return sampleOf(innerType as z.ZodType, given, source, known === undefined ? defaultValue : known);
  }
  if (schema instanceof z.ZodNullable) {
    const inner = schema.unwrap() as z.ZodType;
    if (given === null || (given === undefined && known === null)) return null;
    return given === undefined && known === undefined && !isRecord(inner, source) ? null : sampleOf(inner, given, source, known);
  }
  if (schema instanceof z.ZodArray) return arrayOf(schema.element as z.ZodType, given, source, known);
  if (schema instanceof z.ZodUnion) return unionOf(schema.options as z.ZodType[], given, source, known);
  if (schema instanceof z.ZodObject) return objectOf(schema, given, source, known);
  if (given !== undefined) return given;
  return known === undefined ? simplest(schema, source) : known;
}

/** A list has a sample of its record, and of anything else nothing. */
function arrayOf(element: z.ZodType, given: unknown, source: SampleSource, known: unknown): unknown {
  if (Array.isArray(given)) return given.map((item) => sampleOf(element, item, source));
  if (Array.isArray(known)) return known.map((item) => sampleOf(element, undefined, source, item));
  return given ?? (isRecord(element, source) ? [sampleOf(element, undefined, source)] : []);
}

/** The first of several schemas that has a sample with what is given. */
function unionOf(options: readonly z.ZodType[], given: unknown, source: SampleSource, known: unknown): unknown {
  const samples = options.map((option) => sampleOf(option, given, source, known));
  const at = options.findIndex((option, index) => hasFields(option, given) && option.safeParse(samples[index]).success);
  return at < 0 ? given : samples[at];
}

function hasFields(schema: z.ZodType, given: unknown): boolean {
  return !(schema instanceof z.ZodObject) || !isObject(given) || Object.keys(given).every((name) => name in schema.shape);
}

function objectOf(schema: z.ZodObject, given: unknown, source: SampleSource, known: unknown): unknown {
  if (given !== undefined && !isObject(given)) return given;
  const sample = isObject(known) ? known : (recordOf(schema, source) ?? {});
  const values = Object.entries(schema.shape).map(([name, field]): [string, unknown] => [
    name,
    sampleOf(field as z.ZodType, given?.[name], source, name in sample ? sample[name] : ofName(name, field as z.ZodType, source)),
  ]);
  const object = Object.fromEntries(values.filter(([, value]) => value !== undefined));
  // In the order of the schema; what it does not know comes last, for the test to find.
  return { ...object, ...given, ...object };
}

/** The sample of the record that has the most of an object's fields, and no other field. */
export function recordOf({ shape: own }: z.ZodObject, { records }: SampleSource): Values | undefined {
  const extended = records.filter(([{ shape }]) => Object.keys(shape).every((name) => own[name] === shape[name]));
  return extended.toSorted(([one], [other]) => Object.keys(other.shape).length - Object.keys(one.shape).length)[0]?.[1];
}

function isRecord(schema: z.ZodType, source: SampleSource): boolean {
  return schema instanceof z.ZodObject && recordOf(schema, source) !== undefined;
}

function ofName(name: string, field: z.ZodType, { fields }: SampleSource): unknown {
  const isNeeded = name in fields && !field.safeParse(undefined).success;
  return isNeeded && field.safeParse(fields[name]).success ? fields[name] : undefined;
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function simplest(schema: z.ZodType, source: SampleSource): unknown {
  if (schema === id) return source.fields.id;
  if (schema === timestamp) return source.fields.timestamp;
  if (schema instanceof z.ZodPipe) return sampleOf(schema.in as z.ZodType, undefined, source);
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodLiteral) return [...schema.values][0];
  if (schema instanceof z.ZodBoolean) return false;
  if (schema instanceof z.ZodNumber) return Math.max(0, schema.minValue ?? 0);
  if (schema instanceof z.ZodRecord) return {};
  if (schema instanceof z.ZodCustom) return new Uint8Array();
  return undefined;
}
