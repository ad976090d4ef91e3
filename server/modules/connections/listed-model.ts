import { modelDefaults, providerModels } from '../../../contract/agent.ts';
import { elapsed } from '../../platform/clock.ts';
import type { Egress } from '../../platform/egress/egress.ts';
import { endOf } from '../../platform/model-lists/known-models.ts';
import type { ListedModel } from '../../platform/model-lists/listed-model.ts';
import { readModelList } from '../../platform/model-lists/read-model-list.ts';
import type { OperatorConnection } from './operator-connections.ts';

/** The longest time of a reading, the time that a list is used, and the pause after a failure (ms). */
const readingMs = 20_000;
const maxAgeMs = 24 * 3_600_000;
const pauseMs = 30_000;

/**
 * Returns a function that tells the model of new agents on a server of the operator whose model no setting names: of its list, which is read at once and
 * then once a day, beside the calls that ask. Null before it has been read, for a list without a fitting model, and where the model is known. M3.15
 */
export function createListedModel(
  operator: ReadonlyMap<string, OperatorConnection>,
  call: Egress,
  clock: () => number = elapsed,
): () => string | null {
  const [first] = operator.values();
  if (!first || first.defaultModel !== null) return () => null;
  const { provider, account } = first;
  let model: string | null = null;
  let dueAt = Number.NEGATIVE_INFINITY;
  const read = async (): Promise<void> => {
    dueAt = clock() + pauseMs;
    const server = { provider, address: account.baseUrl, apiKey: account.apiKey, headers: null };
    const { models } = await readModelList(server, call, AbortSignal.timeout(readingMs));
    model = fitting(provider, models);
    dueAt = clock() + maxAgeMs;
  };
  const readWhenDue = () => {
    // A list that cannot be read leaves the model as it was: the window of connections says why.
    if (clock() >= dueAt) void read().catch(() => {});
  };
  readWhenDue();
  return () => {
    readWhenDue();
    return model;
  };
}

/** The specification's model or a current one of the provider where the list has it, else the first that may call tools. */
function fitting(provider: OperatorConnection['provider'], models: readonly ListedModel[]): string | null {
  const ids = new Set(models.map(({ id }) => id));
  const current = providerModels[provider].filter(({ name }) => endOf(provider, name) === null).map(({ id }) => id);
  const usual = [modelDefaults.model, ...current].find((id) => ids.has(id));
  return usual ?? models.find(({ tools }) => tools !== false)?.id ?? null;
}
