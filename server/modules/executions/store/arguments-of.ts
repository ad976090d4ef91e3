import { parseSmallJson } from '../../../platform/llm/bounded-json.ts';

/** The limits of arguments: values and depth. */
const limits = { values: 100_000, depth: 100 };

/** Returns the arguments of a call as an object; undefined for text that is none. */
export function argumentsOf({ args }: { args: string }): object | undefined {
  const value = parseSmallJson(args, limits);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}
