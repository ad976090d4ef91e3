import { z } from 'zod';
import en from '../../../locales/en/content/tools.json' with { type: 'json' };
import ru from '../../../locales/ru/content/tools.json' with { type: 'json' };
import type { RunTool, ToolContext, ToolResult } from './run-tool.ts';

/** The words for models, by the language of the run. */
export const toolWords = { ru, en };

/** Makes a tool whose arguments follow a schema; arguments that do not are answered with the names of the wrong ones. */
export function schemaTool<Schema extends z.ZodType>(
  about: Omit<RunTool, 'key' | 'parameters' | 'carryOut'>,
  schema: Schema,
  carryOut: (args: z.output<Schema>, context: ToolContext) => Promise<ToolResult>,
): RunTool {
  return {
    ...about,
    key: `own:${about.name}`,
    parameters: parametersOf(schema),
    async carryOut(args, context) {
      const parsed = schema.safeParse(args);
      if (parsed.success) return carryOut(parsed.data, context);
      const wrong = parsed.error.issues.map(({ path }) => path.join('.')).join(', ');
      return refusedHere(fill(toolWords[context.language].wrongArguments, { wrong }));
    },
  };
}

const knownParameters = new WeakMap<z.ZodType, RunTool['parameters']>();

/** Returns the JSON schema of arguments, which is made once: each step has its own tools, and they share the schemas of their arguments. */
function parametersOf(schema: z.ZodType): RunTool['parameters'] {
  const known = knownParameters.get(schema);
  if (known) return known;
  const { $schema: _schema, ...parameters } = z.toJSONSchema(schema, { override: withoutLimits });
  knownParameters.set(schema, parameters);
  return parameters;
}

/** Every prompt has the definitions: what no model needs to know of them is left out, and checked all the same. */
function withoutLimits({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.additionalProperties;
  delete jsonSchema.maxLength;
  delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

export function failed(message: string): Extract<ToolResult, { ok: false }> {
  return { ok: false, failure: { code: 'tool_failed', message } };
}

/** The same of a call that has reached nothing outside. */
export function refusedHere(message: string): ToolResult {
  return { ok: false, failure: { code: 'tool_failed', message }, isOwn: true };
}

/** Puts values into the places of a sentence. */
export function fill(sentence: string, values: Record<string, string | number>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The most characters of a text that one call returns; `offset` reads on. */
const maxRead = 24_000;

/** Returns a part of a text, with a line that says how to read on. */
export function partOf(text: string, offset: number, { readOn }: { readOn: string }): string {
  const part = text.slice(offset, offset + maxRead);
  const end = offset + part.length;
  return end < text.length ? `${part}\n\n${fill(readOn, { end, length: text.length })}` : part;
}
