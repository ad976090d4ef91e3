import { z } from 'zod';
import { parseSmallJson } from '../bounded-json.ts';

/** Where tools are addressed in a parallel call. */
const prefix = 'functions.';

const limits = { values: 10_000, depth: 100 };

const uses = z.object({
  tool_uses: z.array(z.object({ recipient_name: z.string().startsWith(prefix), parameters: z.record(z.string(), z.json()) })).min(1),
});

type ExpandedCall = { id: string; name: string; input: string };

/**
 * Returns the calls of OpenAI's own tool `parallel`, which its models call now and then although it was not offered. Null for arguments that are none,
 * or that call another tool than those of the request.
 */
export function expandParallelCall(id: string, written: string, tools: readonly string[]): ExpandedCall[] | null {
  const read = uses.safeParse(parseSmallJson(written, limits));
  if (!read.success) return null;
  const calls = read.data.tool_uses.map(({ recipient_name: recipient, parameters }, index) => ({
    id: `${id}_${index}`,
    name: recipient.slice(prefix.length),
    input: JSON.stringify(parameters),
  }));
  return calls.every(({ name }) => tools.includes(name)) ? calls : null;
}
