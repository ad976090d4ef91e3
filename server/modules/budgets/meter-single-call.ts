import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import { writeStatement } from '../../platform/database/statement.ts';
import type { LanguageModel } from '../../platform/llm/language-model.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { createCallMeter, type Metering } from './call-meter.ts';
import { storingSpend } from './spend-row.ts';

/** A model whose next call is counted and limited. `store` writes what it has cost. */
type SingleCall = { model: LanguageModel; store: () => Promise<void> };

/** Meters calls that belong to no run, command or project: each is paid by an account. */
export function createSingleCallMeter(run: RunStatement, metering: Metering): (model: LanguageModel, userId: OwnerId) => SingleCall {
  return (model, userId) => {
    const payer = { userId, projectId: null, step: null, commandId: metering.newId() };
    const meter = createCallMeter(model, metering, { payer, hasBudget: true });
    const store = async () => {
      const { spend } = meter.take();
      if (spend.length > 0) await run(writeStatement((place) => storingSpend(spend)('(SELECT true) AS called', place)));
    };
    return { model: meter.model, store };
  };
}
