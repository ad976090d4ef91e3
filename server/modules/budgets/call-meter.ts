import type { TokenUsage } from '../../../contract/common.ts';
import type { Cost, Money } from '../../../contract/cost.ts';
import { addCosts, costOf, dearestOf, noCost, type Price } from '../../../rules/cost/cost-of.ts';
import { elapsed } from '../../platform/clock.ts';
import { retryOnOutage } from '../../platform/database/retry-on-outage.ts';
import type { Conversation, LanguageModel, ModelFailure, ModelOutcome, OnWait } from '../../platform/llm/language-model.ts';
import { conversationOf } from '../../platform/llm/prompt.ts';
import { leastOf, longestAnswer, usageOf, worstCaseOf } from '../../platform/llm/worst-case.ts';
import type { PriceList } from '../../platform/prices/price-list.ts';
import type { SpendLedger } from './spend-ledger.ts';
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

/** Counts and limits the calls of a model. */
export function createCallMeter(model: LanguageModel, metering: Metering, calls: MeteredCalls): CallMeter {
  return new MeteredModel(model, metering, calls);
}

/** A reservation's id with the price of the call, or why there is none. `repeats`: a killed attempt may have made the call before. */
type Begun = { id: string | null; price: Price | null; repeats: boolean };

/**
 * Counts what the calls of a model cost, each at the price of the moment it begins, and reserves them in the budgets that apply. A call that does
 * not fit is not made. A call that fails is paid as its server reports it, and estimated from its texts where that reports nothing. The simulated
 * model costs nothing, and neither does a call that is aborted before it is made.
 */
class MeteredModel implements CallMeter {
  readonly model: LanguageModel;
  readonly #asked: LanguageModel;
  readonly #metering: Metering;
  readonly #calls: MeteredCalls;
  readonly #usesOperatorKey: boolean;
  readonly #mayReserve: boolean;
  #taken: ReturnType<CallMeter['take']> = nothing();
  #isFirst = true;

  constructor(model: LanguageModel, metering: Metering, calls: MeteredCalls) {
    this.#asked = model;
    this.#metering = metering;
    this.#calls = calls;
    this.#usesOperatorKey = model.usesOperatorKey ?? false;
    this.#mayReserve = calls.hasBudget || (this.#usesOperatorKey && metering.limitsLentKeys);
    this.model = model.simulated && !this.#mayReserve ? model : this.#counted(model);
  }

  take(): ReturnType<CallMeter['take']> {
    const taken = this.#taken;
    this.#taken = nothing();
    return taken;
  }

  #counted(model: LanguageModel): LanguageModel {
    return {
      ...model,
      answer: (request, signal, onText, onWait) =>
        this.#measured(
          () => conversationOf(request),
          signal,
          onWait,
          (hear, follow, isReserved) => model.answer(asReserved(request, isReserved), signal, both(hear, onText), follow),
        ),
      converse: (conversation, signal, onText, onWait) =>
        this.#measured(
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
    };
  }

  async #measured(
    conversation: () => Conversation,
    signal: AbortSignal,
    onWait: OnWait | undefined,
    call: (hear: (text: string) => void, onWait: OnWait, isReserved: boolean) => Promise<ModelOutcome>,
  ): Promise<ModelOutcome> {
    const begun = await this.#begin(conversation, signal).catch((error: unknown) => {
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
      const billed = outcome?.ok ? outcome.value.billed : undefined;
      await this.#end(begun, { ...(used ?? { usage: noUsage, isEstimated: false }), billed }, ms, conversation, signal);
    }
    return outcome;
  }

  /** Reserves the call. A price that changes during the call is for later ones. */
  async #begin(conversation: () => Conversation, signal: AbortSignal): Promise<Begun | { refused: ModelFailure }> {
    const { prices, ledger, newId, now } = this.#metering;
    const { payer, unpricedAllowed = false, isCutOff } = this.#calls;
    const { provider, model, simulated } = this.#asked;
    const price = prices.find(this.#asked, now());
    const repeats = this.#isFirst && isCutOff === true;
    this.#isFirst = false;
    if (!this.#mayReserve) return { id: null, price, repeats };
    const id = newId();
    const asked = conversation();
    const usage = worstCaseOf(asked);
    const least = leastOf(asked);
    const call = {
      id,
      payer,
      provider,
      model,
      usesOperatorKey: this.#usesOperatorKey,
      usage,
      cost: this.#costAt(price && dearestOf(price, usage.promptTokens), usage),
      unpricedAllowed,
      turn: asked.turns?.length ?? 0,
      least: { usage: least, cost: this.#costAt(price, least) },
    };
    const reserved = await retryOnOutage(() => ledger.reserve(call), signal);
    for (const lost of reserved.lost) this.#add(lost.cost, lost.usage);
    if (reserved.kind === 'free') return { id: null, price, repeats: repeats && !simulated && reserved.lost.length === 0 };
    if (reserved.kind === 'reserved') return { id, price, repeats: false };
    const { limit, atLimit, isOfAll } = reserved;
    if (atLimit === 'refuse') return { refused: { code: isOfAll ? 'model_server_budget_spent' : 'model_budget_spent', transient: false } };
    return { refused: { code: 'budget_reached', transient: false, limit, atLimit } };
  }

  /** Counts a call that has ended, and settles its reservation. */
  async #end(
    { id, price, repeats }: Begun,
    { usage, isEstimated, billed }: { usage: TokenUsage; isEstimated: boolean; billed: Money | undefined },
    ms: number,
    conversation: () => Conversation,
    signal: AbortSignal,
  ): Promise<void> {
    const paid: Cost = {
      ...(usage.totalTokens === 0 ? noCost : this.#paid(price, usage, billed)),
      ...(isEstimated && { isEstimated: true as const }),
    };
    if (id === null) {
      if (repeats) this.#addRepeated(usage, price, conversation);
      if (!this.#asked.simulated && usage.totalTokens > 0) this.#addWhole(usage, paid, ms, isEstimated);
      return;
    }
    this.#add(paid, usage);
    const settle = async () => {
      for (const more of await this.#metering.ledger.settle(id, { usage, cost: paid, ms, isEstimated })) this.#add(more.cost, more.usage);
    };
    // An aborted call does not wait: what cannot be settled stays as it was reserved.
    if (signal.aborted) void settle().catch(() => {});
    else await retryOnOutage(settle, signal).catch(() => {});
  }

  /** What the server says that it has charged, unless the operator has named a price. */
  #paid(price: Price | null, usage: TokenUsage, billed: Money | undefined): Cost {
    const isTold = price === null || price === this.#asked.toldPrice;
    if (!billed || !isTold) return this.#costAt(price, usage);
    return billed.micros === 0 ? noCost : { amounts: [billed] };
  }

  #costAt(price: Price | null, usage: TokenUsage): Cost {
    return this.#asked.simulated ? noCost : costOf(usage, price);
  }

  #add(one: Cost, usage: TokenUsage): void {
    this.#taken.cost = addCosts([this.#taken.cost, one]);
    if (usage.totalTokens !== 0) this.#taken.usages.push(usage);
  }

  /** Counts a call that no ledger knows. */
  #addWhole(usage: TokenUsage, one: Cost, ms: number, isEstimated: boolean): void {
    this.#add(one, usage);
    this.#taken.spend.push({
      id: this.#metering.newId(),
      ...tokensOfRow(usage),
      ...amountOf(one),
      ms,
      state: isEstimated ? 'estimated' : 'settled',
      ...payerOfRow(this.#calls.payer),
      provider: this.#asked.provider,
      model: this.#asked.model,
      usesOperatorKey: this.#usesOperatorKey,
      budgets: null,
      createdAt: this.#metering.now(),
      turn: 0,
      leastPromptTokens: null,
      leastMicros: null,
    });
  }

  /** Counts a killed call that no ledger knows like the one that repeats it, or by its prompt where that has used nothing. */
  #addRepeated(used: TokenUsage, price: Price | null, conversation: () => Conversation): void {
    const usage = used.totalTokens > 0 ? used : leastOf(conversation());
    this.#addWhole(usage, { ...this.#costAt(price, usage), isEstimated: true }, 0, true);
  }
}

/** A call that is reserved in a budget may not become longer than what was reserved. */
function asReserved<Asked extends Pick<Conversation, 'maxTokens'>>(asked: Asked, isReserved: boolean): Asked {
  return isReserved && asked.maxTokens === null ? { ...asked, maxTokens: longestAnswer } : asked;
}

const aborted: ModelFailure = { code: 'aborted', transient: false };
const nothing = (): ReturnType<CallMeter['take']> => ({ cost: noCost, usages: [], spend: [] });
const noUsage: TokenUsage = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };

function both<Args extends unknown[]>(first: (...args: Args) => void, second: (...args: Args) => void): (...args: Args) => void {
  return (...args) => {
    first(...args);
    second(...args);
  };
}
