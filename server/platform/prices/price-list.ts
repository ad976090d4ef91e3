import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Price } from '../../../rules/cost/cost-of.ts';
import { providerAddresses } from '../llm/provider-addresses.ts';
import { isLoopbackHost } from '../loopback.ts';
import { PriceError, type PriceLine, readPrices } from './read-prices.ts';

/** A model as a server offers it. `host` is that of the called server. */
type PricedModel = {
  provider: string;
  model: string;
  host: string | null;
  /** What the list of the model's server tells. */
  toldPrice?: Price | null;
};

export type PriceList = {
  /**
   * Returns the price of a model at a moment: the operator's, else what its server tells, else that which comes with this server. Null where it is not
   * known. Models on this machine cost nothing.
   */
  find: (model: PricedModel, at: Date) => Price | null;
  /** The currencies of all prices, in order. */
  currencies: readonly string[];
};

/**
 * Opens the prices that come with the server, and the operator's own. A model that the operator's file names has only the operator's prices.
 * Throws a PriceError for a file that cannot be read or used.
 */
export function openPriceList(operatorFile: string | null): PriceList {
  const own = join(import.meta.dirname, 'prices.jsonl');
  return createPriceList(
    readPrices(readFile(own), 'prices.jsonl'),
    operatorFile === null ? [] : readPrices(readFile(operatorFile), operatorFile),
  );
}

export function createPriceList(lines: readonly PriceLine[], operatorLines: readonly PriceLine[] = []): PriceList {
  const [own, operators] = [byModel(lines), byModel(operatorLines)];
  return {
    find: (model, at) => {
      const key = keyOf({ ...model, model: nameOf(model) });
      const named = operators.get(key);
      if (named) return priceAt(named, at);
      return model.toldPrice ?? priceAt(own.get(key) ?? [], at) ?? (isOnThisMachine(model) ? noPrice : null);
    },
    currencies: [...new Set([...lines, ...operatorLines].map(({ currency }) => currency))].sort(),
  };
}

/** The lines of each model, the latest first. */
function byModel(lines: readonly PriceLine[]): Map<string, PriceLine[]> {
  const found = Map.groupBy(lines, (line) => keyOf(placeOf(line)));
  for (const ofModel of found.values()) ofModel.sort((one, other) => Date.parse(other.validFrom) - Date.parse(one.validFrom));
  return found;
}

/** The price of a moment: that of the latest line, and of its dearer hours in them. */
function priceAt(lines: readonly PriceLine[], at: Date): Price | null {
  const line = lines.find(({ validFrom }) => Date.parse(validFrom) <= at.getTime());
  if (!line) return null;
  const { peak, ...price } = line;
  // The rates of dearer hours are whole ones, for prompts of each length.
  return peak && isWithin(peak, at) ? { currency: price.currency, ...peak.rates } : price;
}

function isWithin({ days, hours }: NonNullable<PriceLine['peak']>, at: Date): boolean {
  const hour = at.getUTCHours();
  return days.includes(at.getUTCDay()) && hours.some(([from, to]) => from <= hour && hour < to);
}

const noPrice: Price = { currency: 'USD', input: 0, cachedInput: 0, output: 0, reasoning: 0 };

/** Whether this machine computes the model itself, at no price. Ollama hands models with `cloud` behind their name on to a paid server. */
function isOnThisMachine({ provider, model, host }: PricedModel): boolean {
  if (provider !== 'ollama' && provider !== 'lmstudio') return false;
  return host !== null && isLoopbackHost(host) && !/[:-]cloud$/.test(model);
}

function placeOf({ provider, model, host }: PriceLine): PricedModel {
  const home = providerAddresses[provider];
  return { provider, model, host: host ?? (home === null ? null : new URL(home).host) };
}

function keyOf({ provider, model, host }: PricedModel): string {
  return JSON.stringify([provider, model, host]);
}

/** Yandex Cloud's models are called by an address with the customer's folder: its price has the name alone. */
function nameOf({ provider, model }: PricedModel): string {
  if (provider !== 'yandexgpt') return model;
  return /^gpt:\/\/[^/]+\/(.+?)(?:\/latest)?$/.exec(model)?.[1] ?? model;
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new PriceError(`${path} cannot be read.`);
  }
}
