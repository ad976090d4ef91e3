import { addCosts } from '../../../../rules/cost/cost-of.ts';
import type { Models } from '../../../platform/llm/choose-model.ts';
import type { LanguageModel, ModelFailure } from '../../../platform/llm/language-model.ts';
import type { AgentModelConfig } from '../../agents/index.ts';
import { type CallMeter, createCallMeter, type Metering } from '../../budgets/index.ts';
import type { StepRow } from '../store/rows.ts';
import { sumUsage } from '../store/sum-usage.ts';
import type { Claim } from '../transitions/claim.ts';
import type { Paid } from '../transitions/end-run.ts';

type StepModelsDeps = { models: Models; metering: Metering };

/**
 * The models that one step asks: its agent's own, and after failures that of the second connection. Each call is paid at the price of the model that
 * it is made with.
 */
export class StepModels {
  readonly #deps: StepModelsDeps;
  readonly #claim: Claim;
  readonly #hasBudget: boolean;
  readonly #meters: CallMeter[] = [];

  constructor(deps: StepModelsDeps, claim: Claim, hasBudget: boolean) {
    this.#deps = deps;
    this.#claim = claim;
    this.#hasBudget = hasBudget;
  }

  /** Returns the model of these settings, whose calls are counted from now on. */
  choose(settings: Parameters<Models['choose']>[0] | AgentModelConfig | null): LanguageModel | ModelFailure {
    const { row, step } = this.#claim;
    const chosen = settings && this.#deps.models.choose(settings, row.userId);
    if (!chosen) return { code: 'model_not_configured', transient: false };
    if (!chosen.ok) return chosen.error;
    const { stepId, round, item, attempts: attempt } = step;
    const { userId, projectId, id: executionId, unpricedAllowed } = row;
    const meter = createCallMeter(chosen.value, this.#deps.metering, {
      payer: { userId, projectId, step: { executionId, stepId, round, item, attempt } },
      hasBudget: this.#hasBudget,
      unpricedAllowed,
      // The lost call of a killed attempt counts once.
      isCutOff: this.#meters.length === 0 && (this.#claim.isCutOff ?? false),
    });
    this.#meters.push(meter);
    return meter.model;
  }

  /** Returns what the step has used and cost so far, and its calls that are not stored yet. */
  paid(step: StepRow): Paid {
    const taken = this.#meters.map((meter) => meter.take());
    const usages = taken.flatMap((one) => one.usages);
    return {
      cost: addCosts([step.cost, ...taken.map(({ cost }) => cost)]),
      usage: usages.length === 0 ? step.usage : sumUsage([step, ...usages.map((usage) => ({ usage }))]),
      spend: taken.flatMap(({ spend }) => spend),
    };
  }
}
