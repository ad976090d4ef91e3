import { writeFile } from 'node:fs/promises';
import type { PriceLine } from '../../server/platform/prices/read-prices.ts';

/** A price of one unit of the currency for a token. */
const testPrice = {
  input: 1_000_000_000_000,
  cachedInput: 500_000_000_000,
  output: 1_000_000_000_000,
  reasoning: 1_000_000_000_000,
};

/** Writes a price file for models of the server at `url`, and returns its path. */
export async function writePrices(path: string, url: string, lines: readonly (Partial<PriceLine> & { model: string })[]): Promise<string> {
  const { host } = new URL(url);
  const all = lines.map((line) => {
    // Without prices of their own, cached input and reasoning cost what input and output do.
    const parts = {
      ...(line.input !== undefined && { cachedInput: line.input }),
      ...(line.output !== undefined && { reasoning: line.output }),
    };
    return { provider: 'openai', host, validFrom: '2020-01-01', currency: 'USD', ...testPrice, ...parts, ...line };
  });
  await writeFile(path, all.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}
