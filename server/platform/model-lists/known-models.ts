import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type ProviderType, providerModels, providerTypes } from '../../../contract/agent.ts';

const provider = z.enum(providerTypes).exclude(['simulated']);
/** The page that a line comes from, where it was read in place of it, and the day of what was read: it may have changed since. */
const origin = { source: z.url(), via: z.string().min(1).optional(), checked: z.iso.date() };

const knownLine = z.strictObject({
  provider,
  /** The id of a model; with `*` at its end, of all whose ids begin so. The first line that fits counts. */
  model: z.string().min(1),
  context: z.number().int().min(1).optional(),
  tools: z.boolean().optional(),
  sees: z.boolean().optional(),
  /** Its temperature cannot be chosen. */
  isSamplingFixed: z.literal(true).optional(),
  ...origin,
});
type KnownModel = z.infer<typeof knownLine>;

const endedLine = z.strictObject({
  provider,
  model: z.string().min(1),
  /** The day from which the provider does not serve the model. */
  on: z.iso.date(),
  announced: z.iso.date().optional(),
  instead: z.string().optional(),
  ...origin,
});
type EndedModel = z.infer<typeof endedLine>;

/** Reads a table of the repository. Throws for a line that is wrong: a test reads both tables. */
function readTable<T>(file: string, line: z.ZodType<T>): T[] {
  const lines = readFileSync(join(import.meta.dirname, file), 'utf8')
    .split('\n')
    .filter(Boolean);
  return lines.map((text) => line.parse(JSON.parse(text)));
}

export const knownModels: readonly KnownModel[] = readTable('known-models.jsonl', knownLine);
export const endedModels: readonly EndedModel[] = readTable('ended-models.jsonl', endedLine);

/** Returns what is known of a provider's model, by the name that users choose; null for nothing. */
export function knownModel(of: ProviderType, name: string): KnownModel | null {
  const id = idOf(of, name);
  return knownModels.find(({ provider: owner, model }) => owner === of && fits(id, model)) ?? null;
}

/** Returns the end of a provider's model, past or announced; null for one that goes on. */
export function endOf(of: ProviderType, name: string): { on: string; instead?: string } | null {
  const id = idOf(of, name);
  const line = endedModels.find(({ provider: owner, model }) => owner === of && model === id);
  if (!line) return null;
  return { on: line.on, ...(line.instead !== undefined && { instead: line.instead }) };
}

function fits(id: string, model: string): boolean {
  return model.endsWith('*') ? id.startsWith(model.slice(0, -1)) : id === model;
}

/** Returns the provider's id of a model by the name that users choose. */
export function idOf(of: ProviderType, name: string): string {
  return providerModels[of].find((one) => one.name === name)?.id ?? name;
}
