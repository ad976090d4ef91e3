import type { ConnectionModel, ModelConnection } from '../../../contract/model-connection.ts';
import type { Rates } from '../../../rules/cost/cost-of.ts';
import { providerAddresses } from '../llm/provider-addresses.ts';
import type { PriceList } from '../prices/price-list.ts';
import { endOf, idOf, knownModel } from './known-models.ts';
import { type ListedModel, toldPriceOf } from './listed-model.ts';

export type DescribeModel = (provider: ModelConnection['provider'], model: ListedModel, host: string | null) => ConnectionModel;

/** Adds to a listed model what its server does not tell: from the tables of the repository, and from the price list. The server's word counts first. */
export function createDescribeModel(prices: Pick<PriceList, 'find'>, now: () => Date): DescribeModel {
  return (provider, listed, host) => {
    const address = providerAddresses[provider];
    const home = address === null ? null : new URL(address).host;
    // A server at another address may offer another model under the same name.
    const isHome = home !== null && (host === null || host === home);
    const known = isHome ? knownModel(provider, listed.id) : null;
    const ended = isHome ? endOf(provider, listed.id) : null;
    const toldPrice = listed.price ? toldPriceOf(listed.price) : null;
    const price = shownPrice(prices.find({ provider, model: idOf(provider, listed.id), host: host ?? home, toldPrice }, now()));
    const context = listed.context ?? known?.context;
    const tools = listed.tools ?? known?.tools;
    const sees = listed.sees ?? known?.sees;
    return {
      id: listed.id,
      ...(context !== undefined && { context }),
      ...(tools !== undefined && { tools }),
      ...(sees !== undefined && { sees }),
      ...(known?.isSamplingFixed && { isSamplingFixed: true }),
      ...(price && { price }),
      ...(ended && { ended }),
    };
  };
}

function shownPrice(price: ReturnType<PriceList['find']>): ConnectionModel['price'] {
  if (!price) return undefined;
  const { currency, steps = [] } = price;
  return {
    currency,
    ...shownRates(price),
    ...(steps.length > 0 && { steps: steps.map((step) => ({ above: step.above, ...shownRates(step) })) }),
  };
}

function shownRates({ input, cachedInput, cacheWrite, output }: Rates) {
  return { input, cachedInput, ...(cacheWrite !== undefined && { cacheWrite }), output };
}
