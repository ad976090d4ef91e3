import { html, type Markup } from './html.ts';
import type { Json } from './named-schemas.ts';

/** Returns a JSON Schema for readers: its type in a few words, and a table of its fields; named schemas on request. */
export function schemaMarkup(schema: Json, named: Record<string, Json> = {}): Markup {
  const known = named[nameOf(schema) ?? nameOf((schema.items ?? {}) as Json) ?? ''];
  const fields = known ? nested(known) : fieldsMarkup(schema);
  return html`<p class="type">${typeMarkup(schema)}</p>${fields}`;
}

/** Returns the type in one line: `list of Project`, `string (uuid)`, `"ready" or "draft"`. */
export function typeMarkup(schema: Json): Markup {
  const name = nameOf(schema);
  if (name !== null) return html`<a href="#schema-${name}">${name}</a>`;
  const choices = choicesOf(schema);
  if (choices) return html`${choices.map((choice, index) => html`${index > 0 ? ' or ' : ''}${typeMarkup(choice)}`)}`;
  if (Array.isArray(schema.enum)) return html`${schema.enum.map((value, index) => html`${index > 0 ? ' or ' : ''}${literal(value)}`)}`;
  if ('const' in schema) return literal(schema.const);
  if (schema.type === 'array') return html`list of ${typeMarkup((schema.items ?? {}) as Json)}`;
  if (schema.type === 'object')
    return html`${isRecord(schema) ? html`record of ${typeMarkup(schema.additionalProperties as Json)}` : 'object'}`;
  const types = [schema.type ?? 'anything'].flat().join(' or ');
  return html`${types}${typeof schema.format === 'string' ? ` (${schema.format})` : ''}`;
}

/** Returns the fields of an object, of the objects in a list or record, or of each option; null if there are none. */
function fieldsMarkup(schema: Json): Markup | null {
  const choices = choicesOf(schema);
  if (choices) return html`${choices.map(fieldsMarkup)}`;
  if (schema.type === 'array') return fieldsMarkup((schema.items ?? {}) as Json);
  if (isRecord(schema)) return fieldsMarkup(schema.additionalProperties as Json);
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  if (fields.length === 0) return null;
  const required = new Set((schema.required ?? []) as string[]);
  return html`<dl class="fields">${fields.map(
    ([name, field]) => html`<dt><code>${name}</code>${required.has(name) ? null : html` <span class="optional">optional</span>`}</dt>
<dd>${typeMarkup(field)}${limitsMarkup(field)}${nested(field)}</dd>`,
  )}</dl>`;
}

function nested(field: Json): Markup | null {
  const fields = fieldsMarkup(field);
  return fields && html`<details><summary>Fields</summary>${fields}</details>`;
}

/** Returns the limits of a value, and its default. */
export function limitsMarkup(schema: Json): Markup | null {
  const limits = [
    between(schema.minimum, schema.maximum, ''),
    between(schema.minLength, schema.maxLength, ' characters'),
    between(schema.minItems, schema.maxItems, ' items'),
    'default' in schema ? html`${literal(schema.default)} unless given` : null,
  ].filter((limit) => limit !== null);
  return limits.length === 0
    ? null
    : html` <span class="limits">${limits.map((limit, index) => html`${index > 0 ? ', ' : ''}${limit}`)}</span>`;
}

function between(min: unknown, max: unknown, unit: string): Markup | null {
  const low = typeof min === 'number' && min > Number.MIN_SAFE_INTEGER ? min : null;
  const high = typeof max === 'number' && max < Number.MAX_SAFE_INTEGER ? max : null;
  if (low !== null && high !== null) return html`${low} to ${high}${unit}`;
  if (high !== null) return html`at most ${high}${unit}`;
  return low === null ? null : html`at least ${low}${unit}`;
}

function literal(value: unknown): Markup {
  return html`<code>${JSON.stringify(value)}</code>`;
}

/** Markup of a schema that is referenced by name. */
function nameOf({ $ref: reference }: Json): string | null {
  return typeof reference === 'string' ? reference.slice(reference.lastIndexOf('/') + 1) : null;
}

function choicesOf(schema: Json): Json[] | null {
  return (schema.anyOf ?? schema.oneOf ?? null) as Json[] | null;
}

function isRecord(schema: Json): boolean {
  return schema.type === 'object' && typeof schema.additionalProperties === 'object' && !('properties' in schema);
}
