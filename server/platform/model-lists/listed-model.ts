import type { ConnectionModel } from '../../../contract/model-connection.ts';
import type { Price, Rates } from '../../../rules/cost/cost-of.ts';

/** A model as its server lists it. */
export type ListedModel = Pick<ConnectionModel, 'id' | 'context' | 'tools' | 'sees' | 'price'>;

/** What a list tells of a price, as costs are counted: what it leaves out costs what input does, or output. */
export function toldPriceOf({ currency, steps, ...rates }: NonNullable<ListedModel['price']>): Price {
  return { currency, ...whole(rates), ...(steps && { steps: steps.map(({ above, ...step }) => ({ above, ...whole(step) })) }) };
}

type ToldRates = Omit<NonNullable<ListedModel['price']>, 'currency' | 'steps'>;

function whole({ input, cachedInput = input, cacheWrite, output }: ToldRates): Rates {
  return { input, cachedInput, ...(cacheWrite !== undefined && { cacheWrite }), output, reasoning: output };
}

/** The models of a server, and how many more it lists. */
export type ModelList = { models: ListedModel[]; leftOut: number };
