import type { ToolDefinition } from '../language-model.ts';

/**
 * Returns the call of a tool server's tool that a script can make: of the first one that changes nothing and whose required arguments are plain.
 * Texts become the word. Null where there is none.
 */
export function scriptedServerCall(tools: readonly ToolDefinition[], word: string): { name: string; args: object } | null {
  for (const { name, parameters, isServerRead } of tools) {
    if (!isServerRead) continue;
    const { required = [], properties = {} } = parameters as { required?: string[]; properties?: Record<string, unknown> };
    const values = required.map((key) => [key, valueFor(Object.hasOwn(properties, key) ? properties[key] : null, word)] as const);
    if (values.every(([, value]) => value !== undefined)) return { name, args: Object.fromEntries(values) };
  }
  return null;
}

/** Returns a value for a plain schema; undefined for another one. */
function valueFor(schema: unknown, word: string): string | number | boolean | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const { type, enum: choices, format, pattern, minimum } = schema as Record<string, unknown>;
  const first = Array.isArray(choices) ? (choices[0] as unknown) : undefined;
  if (typeof first === 'string' || typeof first === 'number') return first;
  if (choices !== undefined || format !== undefined || pattern !== undefined) return undefined;
  if (type === 'string') return word;
  if (type === 'number' || type === 'integer') return typeof minimum === 'number' ? Math.ceil(minimum) : 1;
  return type === 'boolean' ? false : undefined;
}
