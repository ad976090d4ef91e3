import type { ConnectionModel, ModelConnection } from '../../../contract/model-connection.ts';
import { providerAddresses } from '../llm/provider-addresses.ts';
import type { PriceList } from '../prices/price-list.ts';
import { endOf, knownModel } from './known-models.ts';
import type { ListedModel } from './listed-model.ts';

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
    const price = listed.price ?? shortPrice(prices.find({ provider, model: listed.id, host: host ?? home }, now()));
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

function shortPrice(price: ReturnType<PriceList['find']>): ConnectionModel['price'] {
  return price ? { currency: price.currency, input: price.input, output: price.output } : undefined;
}
