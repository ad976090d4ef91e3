import { z } from 'zod';
import { type Cost, cost } from '../../../../contract/cost.ts';
import type { ResultItem } from '../../../../contract/executions/result.ts';
import { type StepMark, stepMarks } from '../../../../contract/executions/step-mark.ts';

const metadata = z
  .object({
    executionTime: z.number().nullable().catch(null),
    tokenUsage: z
      .union([z.number(), z.object({ totalTokens: z.number() }).transform((usage) => usage.totalTokens)])
      .nullable()
      .catch(null),
    simulated: z.boolean().catch(false),
    cost: cost.nullable().catch(null),
    limited: z.boolean().catch(false),
    marks: z.array(z.enum(stepMarks)).catch([]),
  })
  .partial();

export type HistoryDetails = {
  executionTimeMs: number | null;
  totalTokens: number | null;
  simulated: boolean;
  cost: Cost | null;
  limited: boolean;
  /** What the results of its steps lack. */
  marks: readonly StepMark[];
  tags: string[];
};

/** Reads an item's metadata; unreadable values count as unknown. */
export function historyDetails(item: Pick<ResultItem, 'metadata' | 'tags'>): HistoryDetails {
  const parsed = metadata.safeParse(parseJson(item.metadata));
  const known = parsed.success ? parsed.data : {};
  return {
    executionTimeMs: known.executionTime ?? null,
    totalTokens: known.tokenUsage ?? null,
    simulated: known.simulated ?? false,
    cost: known.cost ?? null,
    limited: known.limited ?? false,
    marks: known.marks ?? [],
    tags: item.tags
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
