import type { TokenUsage } from '../../../contract/common.ts';
import type { Cost } from '../../../contract/cost.ts';
import { insertions, type SqlFragment } from '../../platform/database/statement.ts';
import { distinct } from '../../platform/database/unique-rows.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { spend } from './tables.ts';

export type SpendRow = typeof spend.$inferSelect;

/** The caller of a model: who pays, and what for. */
export type Payer = {
  userId: OwnerId;
  projectId: string | null;
  /** The step of a run; null for a command. */
  step: { executionId: string; stepId: string; round: number; item: number; attempt: number } | null;
  commandId?: string;
};

/** The tokens of a call as a row has them. */
export function tokensOfRow({ promptTokens, completionTokens, cachedTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 }: TokenUsage) {
  return { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens };
}

/** The amount of one call: 0 without a currency for a call that costs nothing, null where its price is not known. */
export function amountOf({ amounts, isUnknown }: Cost): { currency: string | null; micros: number | null } {
  if (isUnknown) return { currency: null, micros: null };
  return amounts[0] ?? { currency: null, micros: 0 };
}

/** The fields of a row that follow from its payer. */
export function payerOfRow({ userId, projectId, step, commandId }: Payer) {
  return {
    userId,
    projectId,
    executionId: step?.executionId ?? null,
    stepId: step?.stepId ?? commandId ?? null,
    round: step?.round ?? 0,
    item: step?.item ?? 0,
    attempt: step?.attempt ?? 0,
  };
}

/** Stores calls that were made without a reservation, with the change of their step or command. */
export function storingSpend(rows: readonly SpendRow[]): SqlFragment {
  return (changed, place) =>
    insertions(
      spend,
      distinct(rows, ({ id }) => id),
      { source: changed, place },
    );
}
