import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ToolEffect } from '../../../contract/executions/tool-call.ts';
import type { ToolDefinition, ToolPolicy, ToolRefusal } from '../../../contract/tool-server.ts';
import { fenced } from '../../../rules/text/fenced.ts';
import { visibleName } from '../../../rules/text/hidden-characters.ts';
import { estimateTokens } from '../../platform/llm/estimate-usage.ts';
import { toolWords } from '../tools/index.ts';
import { offeredSchema, shortText } from './offered-schema.ts';
import { isSupportedSchema } from './supported-schema.ts';

/** A tool's definition as it is stored; hash and costs follow from it. */
export type StoredDefinition = Omit<ToolDefinition, 'tokens' | 'hash'>;
export type ListedTool = { name: string; definition: StoredDefinition };
export type RefusedTool = { name: string; reason: ToolRefusal };

const maxNameLength = 128;
/** The longest title and description (UTF-16 units), and the largest schema (bytes of JSON). */
const maxTitleLength = 200;
const maxDescriptionLength = 16 * 1024;
const maxSchemaBytes = 32 * 1024;
/** Of the lines by which two definitions are compared, and which a person reads. */
const maxComparedLength = 128 * 1024;
const maxComparedLines = 2_000;
/** Of what a model is told about a tool, with its introduction (UTF-16 units): providers refuse more than 1,024. */
const maxShownLength = 1_000;

const listed = z.object({
  name: z.string(),
  title: z.string().nullish().catch(null),
  description: z.string().nullish().catch(null),
  inputSchema: z.unknown(),
  annotations: z
    .object({
      title: z.string().nullish().catch(null),
      readOnlyHint: z.boolean().nullish().catch(null),
      idempotentHint: z.boolean().nullish().catch(null),
      destructiveHint: z.boolean().nullish().catch(null),
      openWorldHint: z.boolean().nullish().catch(null),
    })
    .nullish()
    .catch(null),
});

/** Checks what a server has listed. Of tools with one name the first counts. */
export function readDefinitions(raw: readonly unknown[], max: number): { tools: ListedTool[]; refused: RefusedTool[] } {
  const tools = new Map<string, ListedTool>();
  const refused: RefusedTool[] = [];
  for (const one of raw) {
    const tool = tools.size >= max ? tooMany(one) : readDefinition(one);
    if ('reason' in tool) refused.push(tool);
    else if (tools.has(tool.name)) refused.push({ name: tool.name, reason: 'duplicate' });
    else tools.set(tool.name, tool);
  }
  return { tools: [...tools.values()], refused };
}

function readDefinition(raw: unknown): ListedTool | RefusedTool {
  const parsed = listed.safeParse(raw);
  if (!parsed.success) return { name: shownName((raw as { name?: unknown } | null)?.name), reason: 'name' };
  const { name, title, description, inputSchema, annotations } = parsed.data;
  const refuse = (reason: ToolRefusal): RefusedTool => ({ name: shownName(name), reason });
  if (name === '' || name.length > maxNameLength || !isPlain(name)) return refuse('name');
  const text = description ?? '';
  if (text.length > maxDescriptionLength) return refuse('too_large');
  if (!isSupportedSchema(inputSchema)) return refuse('schema');
  const schema = canonical(inputSchema) as Record<string, unknown>;
  if (Buffer.byteLength(JSON.stringify(schema)) > maxSchemaBytes) return refuse('too_large');
  const readOnly = annotations?.readOnlyHint ?? false;
  const definition: StoredDefinition = {
    title: (title ?? annotations?.title)?.slice(0, maxTitleLength).toWellFormed() ?? null,
    description: text.toWellFormed(),
    schema: { ...schema, type: 'object' },
    readOnly,
    idempotent: readOnly || (annotations?.idempotentHint ?? false),
    // The protocol's own assumptions about a tool that says nothing.
    destructive: !readOnly && (annotations?.destructiveHint ?? true),
    openWorld: annotations?.openWorldHint ?? true,
  };
  return isComparable(linesOfDefinition(definition)) ? { name, definition } : refuse('too_large');
}

/** Whether the lines of a definition are few enough to be compared with others, and to be read. */
export function isComparable(lines: string): boolean {
  return lines.length <= maxComparedLength && lines.split('\n', maxComparedLines + 2).length <= maxComparedLines + 1;
}

function tooMany(raw: unknown): RefusedTool {
  return { name: shownName((raw as { name?: unknown } | null)?.name), reason: 'too_many' };
}

/** Whether a name has no half surrogate pairs, and nothing that a reader does not see. */
function isPlain(name: string): boolean {
  return visibleName(name) === name;
}

function shownName(name: unknown): string {
  return typeof name === 'string' ? visibleName(name.slice(0, maxNameLength)) : '';
}

/** The SHA-256 of everything about a tool that counts: its title does not. The order of keys in a schema does not either. */
export function hashOfDefinition(name: string, { title: _title, ...definition }: StoredDefinition): string {
  return createHash('sha256')
    .update(JSON.stringify(canonical({ name, ...definition })))
    .digest('hex');
}

export function effectOf({ readOnly, idempotent }: Pick<StoredDefinition, 'readOnly' | 'idempotent'>): ToolEffect {
  if (readOnly) return 'read';
  return idempotent ? 'idempotent' : 'write';
}

/** Only tools that change nothing may be called without asking. */
export function policiesOf({ readOnly }: Pick<StoredDefinition, 'readOnly'>): ToolPolicy[] {
  return readOnly ? ['always', 'auto', 'ask', 'never'] : ['ask', 'never'];
}

/** What a provider is given for a tool: its description in fences that it cannot close, and a schema that all providers take. Texts lose hidden characters. */
export function offered({ description, schema }: Pick<StoredDefinition, 'description' | 'schema'>, introduction: string) {
  const text = shortText(description, maxShownLength - introduction.length);
  const rest = offeredSchema(Object.fromEntries(Object.entries(schema).filter(([key]) => !withoutMeaning.has(key))));
  return { description: text === '' ? introduction : `${introduction}\n${fenced(text, '')}`, parameters: rest };
}

/** Keys of a schema's root that providers refuse or ignore. The server checks the arguments by its whole schema. */
const withoutMeaning = new Set(['oneOf', 'anyOf', 'allOf', 'not', 'enum', 'const', 'if', 'then', 'else']);

export function tokensOf(callName: string, definition: StoredDefinition): number {
  return estimateTokens(JSON.stringify({ name: callName, ...offered(definition, toolWords.en.serverTool) }));
}

/** A definition as a text of lines, for comparing it with another one. */
export function linesOfDefinition({ title: _title, description, schema, ...effects }: StoredDefinition): string {
  return `${JSON.stringify({ description: description.split('\n'), ...effects, schema }, null, 2)}\n`;
}

/** Returns JSON with the keys of all objects in order. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, canonical(one)]),
  );
}
