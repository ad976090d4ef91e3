import type { TokenUsage } from '../../../contract/common.ts';
import type { Cost } from '../../../contract/cost.ts';
import { addCosts, costOf, dearestOf, noCost, type Price } from '../../../rules/cost/cost-of.ts';
import { elapsed } from '../../platform/clock.ts';
import { retryOnOutage } from '../../platform/database/retry-on-outage.ts';
import type { Conversation, LanguageModel, ModelFailure, ModelOutcome, OnWait } from '../../platform/llm/language-model.ts';
import { conversationOf } from '../../platform/llm/prompt.ts';
import { leastOf, longestAnswer, usageOf, worstCaseOf } from '../../platform/llm/worst-case.ts';
import type { PriceList } from '../../platform/prices/price-list.ts';
import type { CountedCall, SpendLedger } from './spend-ledger.ts';
import { amountOf, type Payer, payerOfRow, type SpendRow, tokensOfRow } from './spend-row.ts';

export type Metering = {
  prices: Pick<PriceList, 'find'>;
  ledger: SpendLedger;
  /** Whether the operator limits the tokens on the server's keys. */
  limitsLentKeys: boolean;
  newId: () => string;
  now: () => Date;
};

/** The calls of one step or command. */
type MeteredCalls = {
  payer: Payer;
  /** Whether budgets of the user may apply: without any, a call is neither reserved nor settled by statements of its own. */
  hasBudget: boolean;
  unpricedAllowed?: boolean;
  /** An earlier attempt was killed: it may have made a call. */
  isCutOff?: boolean;
};

/** A model whose calls are counted and limited. */
export type CallMeter = {
  model: LanguageModel;
  /** Returns what the calls since the last time have cost and used, and those that are not stored yet. */
  take: () => { cost: Cost; usages: TokenUsage[]; spend: SpendRow[] };
};

/**
 * Counts what the calls of a model cost, each at the price of the moment it begins, and reserves them in the budgets that apply. A call that does
 * not fit is not made. A call that fails is paid as its server reports it, and estimated from its texts where that reports nothing. The simulated
 * model costs nothing, and neither does a call that is aborted before it is made.
 */
export function createCallMeter(
  model: LanguageModel,
  metering: Metering,
  { payer, hasBudget, unpricedAllowed, isCutOff }: MeteredCalls,
): CallMeter {
  const { prices, ledger, newId, now } = metering;
  const isLent = model.isLent ?? false;
  const mayReserve = hasBudget || (isLent && metering.limitsLentKeys);
  let cost: Cost = noCost;
  let usages: TokenUsage[] = [];
  let spend: SpendRow[] = [];
  const take = () => {
    const taken = { cost, usages, spend };
    cost = noCost;
    usages = [];
    spend = [];
    return taken;
  };
  if (model.simulated && !mayReserve) return { model, take };

  let isFirst = true;
  const costAt = (price: Price | null, usage: TokenUsage): Cost => (model.simulated ? noCost : costOf(usage, price));
  const worstCostAt = (price: Price | null, usage: TokenUsage): Cost => costAt(price && dearestOf(price), usage);
  const add = (one: Cost, usage: TokenUsage, row: Omit<SpendRow, keyof ReturnType<typeof common>> | null) => {
    cost = addCosts([cost, one]);
    if (usage.totalTokens !== 0) usages.push(usage);
    if (row) spend.push({ ...row, ...common() });
  };
  const common = () => ({
    ...payerOfRow(payer),
    provider: model.provider,
    model: model.model,
    isLent,
    budgets: null,
    createdAt: now(),
    turn: 0,
    leastPromptTokens: null,
    leastMicros: null,
  });
  const addWhole = (usage: TokenUsage, one: Cost, ms: number, isEstimated: boolean) =>
    add(one, usage, { id: newId(), ...tokensOfRow(usage), ...amountOf(one), ms, state: isEstimated ? 'estimated' : 'settled' });

  const addCounted = ({ cost: one, usage }: CountedCall) => add(one, usage, null);

  /** Counts a killed call that no ledger knows like the one that repeats it, or by its prompt where that has used nothing. */
  const addRepeated = (used: TokenUsage, price: Price | null, conversation: () => Conversation) => {
    const usage = used.totalTokens > 0 ? used : leastOf(conversation());
    addWhole(usage, { ...costAt(price, usage), isEstimated: true }, 0, true);
  };

  /**
   * Reserves the call. Returns the reservation's id with the price of the call, or why there is none. A price that changes during the call is for
   * later ones. `repeats`: a killed attempt may have made the call before, without a reservation.
   */
  const begin = async (
    conversation: () => Conversation,
    signal: AbortSignal,
  ): Promise<{ id: string | null; price: Price | null; repeats: boolean } | { refused: ModelFailure }> => {
    const price = prices.find(model, now());
    const repeats = isFirst && isCutOff === true;
    isFirst = false;
    if (!mayReserve) return { id: null, price, repeats };
    const id = newId();
    const asked = conversation();
    const usage = worstCaseOf(asked);
    const least = leastOf(asked);
    const call = {
      id,
      payer,
      provider: model.provider,
      model: model.model,
      isLent,
      usage,
      cost: worstCostAt(price, usage),
      unpricedAllowed: unpricedAllowed ?? false,
      turn: asked.turns?.length ?? 0,
      least: { usage: least, cost: costAt(price, least) },
    };
    const reserved = await retryOnOutage(() => ledger.reserve(call), signal);
    for (const lost of reserved.lost) addCounted(lost);
    if (reserved.kind === 'free') return { id: null, price, repeats: repeats && !model.simulated && reserved.lost.length === 0 };
    if (reserved.kind === 'reserved') return { id, price, repeats: false };
    const { limit, atLimit, isOfAll } = reserved;
    if (atLimit === 'refuse') return { refused: { code: isOfAll ? 'model_server_budget_spent' : 'model_budget_spent', transient: false } };
    return { refused: { code: 'budget_reached', transient: false, limit, atLimit } };
  };

  const measured = async (
    conversation: () => Conversation,
    signal: AbortSignal,
    onWait: OnWait | undefined,
    call: (hear: (text: string) => void, onWait: OnWait, isReserved: boolean) => Promise<ModelOutcome>,
  ): Promise<ModelOutcome> => {
    const begun = await begin(conversation, signal).catch((error: unknown) => {
      if (signal.aborted) return { refused: aborted };
      throw error;
    });
    if ('refused' in begun) return { ok: false, error: begun.refused };
    let startedAt = elapsed();
    // A call that waits for others of its key has not reached its server.
    let isSent = !signal.aborted;
    let arrived = '';
    let outcome: ModelOutcome | null = null;
    try {
      if (!isSent) outcome = { ok: false, error: aborted };
      else
        outcome = await call(
          (text) => {
            arrived += text;
          },
          (waits) => {
            isSent = !waits;
            startedAt = elapsed();
            onWait?.(waits);
          },
          begun.id !== null,
        );
    } finally {
      const ms = isSent ? Math.round(elapsed() - startedAt) : 0;
      const used = isSent ? usageOf(outcome, conversation, arrived) : null;
      const { usage, isEstimated } = used ?? { usage: noUsage, isEstimated: false };
      const paid: Cost = {
        ...(usage.totalTokens === 0 ? noCost : costAt(begun.price, usage)),
        ...(isEstimated && { isEstimated: true as const }),
      };
      if (begun.id === null) {
        if (begun.repeats) addRepeated(usage, begun.price, conversation);
        if (!model.simulated && usage.totalTokens > 0) addWhole(usage, paid, ms, isEstimated);
      } else {
        add(paid, usage, null);
        const { id } = begun;
        const settle = async () => {
          for (const more of await ledger.settle(id, { usage, cost: paid, ms, isEstimated })) addCounted(more);
        };
        // An aborted call does not wait: what cannot be settled stays as it was reserved.
        if (signal.aborted) void settle().catch(() => {});
        else await retryOnOutage(settle, signal).catch(() => {});
      }
    }
    return outcome;
  };

  return {
    take,
    model: {
      ...model,
      answer: (request, signal, onText, onWait) =>
        measured(
          () => conversationOf(request),
          signal,
          onWait,
          (hear, follow, isReserved) => model.answer(asReserved(request, isReserved), signal, both(hear, onText), follow),
        ),
      converse: (conversation, signal, onText, onWait) =>
        measured(
          () => conversation,
          signal,
          onWait,
          (hear, follow, isReserved) =>
            model.converse(
              asReserved(conversation, isReserved),
              signal,
              both((text, reasoning) => hear(reasoning + text), onText),
              follow,
            ),
        ),
    },
  };
}

/** A call that is reserved in a budget may not become longer than what was reserved. */
function asReserved<Asked extends Pick<Conversation, 'maxTokens'>>(asked: Asked, isReserved: boolean): Asked {
  return isReserved && asked.maxTokens === null ? { ...asked, maxTokens: longestAnswer } : asked;
}

const aborted: ModelFailure = { code: 'aborted', transient: false };
const noUsage: TokenUsage = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };

function both<Args extends unknown[]>(first: (...args: Args) => void, second: (...args: Args) => void): (...args: Args) => void {
  return (...args) => {
    first(...args);
    second(...args);
  };
}
